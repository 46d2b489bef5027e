// Prints what golang.org/x/oauth2 says: `token`, or the error code that it read.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	config := clientcredentials.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		TokenURL:     os.Getenv("TOKEN_URL"),
	}
	_, err := config.Token(context.Background())
	var refused *oauth2.RetrieveError
	switch {
	case err == nil:
		fmt.Println("token")
	case errors.As(err, &refused):
		fmt.Println(refused.ErrorCode)
	default:
		log.Fatal(err)
	}
}
