// One off-ramp from its token to COMPLETED, by the client that oapi-codegen generates.
package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"

	"example.test/clients/client"
	"github.com/google/uuid"
)

const amount = "250.5"

func main() {
	ctx := context.Background()
	baseURL := os.Getenv("BASE_URL")
	anyone, err := client.NewClientWithResponses(baseURL)
	check(err)
	clientID, clientSecret := os.Getenv("CLIENT_ID"), os.Getenv("CLIENT_SECRET")
	token, err := anyone.IssueTokenWithResponse(ctx, client.TokenRequest{ClientId: &clientID, ClientSecret: &clientSecret})
	check(err)
	expect(token.JSON200 != nil, token.Body)

	authorized := client.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+token.JSON200.AccessToken)
		return nil
	})
	api, err := client.NewClientWithResponses(baseURL, authorized)
	check(err)
	userID := uuid.MustParse(os.Getenv("USER_ID"))

	unknown, err := api.GetOperationWithResponse(ctx, userID, uuid.New())
	check(err)
	problem := unknown.ApplicationproblemJSON404
	expect(problem != nil && problem.Code == client.ProblemCodeOFFRAMPNOTFOUND, unknown.Body)

	tokenID, err := strconv.Atoi(os.Getenv("TOKEN_ID"))
	check(err)
	key := uuid.NewString()
	created, err := api.CreateWithdrawalWithResponse(ctx, userID,
		&client.CreateWithdrawalParams{IdempotencyKey: &key},
		client.CreateWithdrawalRequest{
			OriginExternalWalletId: uuid.MustParse(os.Getenv("WALLET_ID")),
			SupportedTokenId:       tokenID,
			Amount:                 amount,
		})
	check(err)
	expect(created.JSON201 != nil, created.Body)
	operation := created.JSON201.Operation

	bytes := make([]byte, 32)
	_, err = rand.Read(bytes)
	check(err)
	txHash := "0x" + hex.EncodeToString(bytes)
	deposit, err := api.SimulateDepositWithResponse(ctx, client.SimulateDepositRequest{
		Network:     operation.Network,
		TxHash:      txHash,
		FromAddress: os.Getenv("WALLET_ADDRESS"),
		ToAddress:   operation.Address,
		Token:       operation.Token,
		Amount:      operation.Amount,
		State:       client.SimulatedDepositStateCONFIRMED,
	})
	check(err)
	expect(deposit.JSON202 != nil, deposit.Body)
	submitted, err := api.SubmitOfframpHashWithResponse(ctx, userID, operation.Id, client.SubmitHashRequest{TxHash: txHash})
	check(err)
	expect(submitted.JSON202 != nil, submitted.Body)

	eventually(func() bool {
		hash, err := api.GetOfframpHashWithResponse(ctx, userID, operation.Id)
		check(err)
		expect(hash.JSON200 != nil, hash.Body)
		return hash.JSON200.Status == client.HashStatusVERIFIED
	})
	eventually(func() bool {
		read, err := api.GetOperationWithResponse(ctx, userID, operation.Id)
		check(err)
		expect(read.JSON200 != nil, read.Body)
		return read.JSON200.Operation.Status == client.OperationStatusCOMPLETED
	})
	fmt.Println(client.OperationStatusCOMPLETED)
}

// A minute is enough for every step.
func eventually(holds func() bool) {
	for range 120 {
		if holds() {
			return
		}
		time.Sleep(500 * time.Millisecond)
	}
	log.Fatal("It did not happen within a minute.")
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func expect(holds bool, body []byte) {
	if !holds {
		log.Fatalf("Not the answer that was expected: %s", body)
	}
}
