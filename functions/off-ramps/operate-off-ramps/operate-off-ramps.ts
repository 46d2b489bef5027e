import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import type { Network, NetworkRules } from '#shared/networks/network.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import * as offRampCommands from '#shared/off-ramps/contract/operator-commands.ts';
import * as returnCommands from '#shared/off-ramps/contract/return-commands.ts';
import type { FindOutgoing } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { ReturnTerms } from '#shared/off-ramps/model/returns.ts';
import { createIsSettledBy, findClaimant } from '#shared/off-ramps/store/claims.ts';
import { createPollDepositNow } from '#shared/off-ramps/store/deposit-polls.ts';
import { createFindDeposit, createGiveUpUnreadable } from '#shared/off-ramps/store/deposit-repository.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { createFindAwaiting } from '#shared/off-ramps/store/off-ramp-lists.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createCreditByHand } from '#shared/off-ramps/transitions/credit-by-hand.ts';
import { createContradictionRepository } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import { createPutBack } from '#shared/off-ramps/transitions/put-back-operation.ts';
import { createReturns } from '#shared/off-ramps/transitions/return-deposit.ts';
import { createSettleDeposit, createUnsettleDeposit } from '#shared/off-ramps/transitions/settle-deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { createRegisterCommand } from '#shared/platform/operators/audited.ts';
import { createProposals } from '#shared/platform/operators/proposal-repository.ts';
import { type Handler, routeByPath } from '#shared/platform/operators/route-by-path.ts';
import { confirmDeposit } from './confirm-deposit.ts';
import { confirmCredit, creditDeposit } from './credit-deposit.ts';
import { giveUpUnreadable } from './give-up-unreadable.ts';
import { pollDeposit } from './poll-deposit.ts';
import { putBack } from './put-back.ts';
import { abortReturn, confirmAbortion, recordReturn, startReturn } from './record-return.ts';
import { approveReturn, declineReturn, requestReturn } from './request-return.ts';
import { resolveContradiction } from './resolve-contradiction.ts';
import { searchHash } from './search-hash.ts';
import { confirmSettlement, confirmUnsettling, settleDeposit, unsettleDeposit } from './settle-deposit.ts';

interface Dependencies {
  readonly dynamo: DynamoDBDocumentClient;
  readonly tables: Readonly<
    Record<'audit' | 'clients' | 'operations' | 'hashes' | 'deposits' | 'events' | 'proposals', string>
  >;
  readonly findTransfer: AskForTransfer;
  readonly findOutgoing: FindOutgoing;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
  /** Networks that have a custodian in the settings. */
  readonly networks: readonly Network[];
  readonly custodianNames: readonly string[];
  readonly returnTerms: ReturnTerms;
  readonly onePersonUpTo: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly newId: () => string;
}

/** Handles all commands by which operators change off-ramps and their deposits. */
export function operateOffRamps({ dynamo, tables, clock, newId, ...given }: Dependencies): Handler {
  const registerCommand = createRegisterCommand(dynamo, tables.audit, clock, newId);
  const operations = createOffRampRepository(dynamo, tables.operations);
  const contradictions = createContradictionRepository(dynamo, tables, clock);
  const { heldSince } = given.returnTerms;
  const common = {
    findDeposit: createFindDeposit(dynamo, tables.deposits),
    findTransfer: given.findTransfer,
    operations,
    proposals: createProposals(dynamo, tables.proposals, clock, {
      confirmedWith: offRampCommands.confirmDepositContract.name,
      conflict: offRampErrors.OPERATION_STATUS_CONFLICT,
    }),
    clock,
  };
  const settling = {
    ...common,
    settle: createSettleDeposit(dynamo, tables),
    unsettle: createUnsettleDeposit(dynamo, tables),
    heldSince,
  };
  const crediting = {
    ...common,
    findAwaiting: createFindAwaiting(dynamo, tables.operations, createListClientIds(dynamo, tables.clients), clock),
    fundedBy: (txHash: string) => findClaimant(dynamo, tables.hashes, 'FUNDED', txHash),
    credit: createCreditByHand(dynamo, tables, clock),
    heldSince,
  };
  const returning = {
    ...common,
    ...given,
    terms: given.returnTerms,
    returns: createReturns(dynamo, tables, clock),
    isSettledBy: createIsSettledBy(dynamo, tables.hashes),
  };
  const confirms = {
    [offRampCommands.creditDepositContract.name]: confirmCredit(crediting),
    [offRampCommands.settleDepositContract.name]: confirmSettlement(settling),
    [offRampCommands.unsettleDepositContract.name]: confirmUnsettling(settling),
    [returnCommands.abortReturnContract.name]: confirmAbortion(returning),
  };
  const pollNow = createPollDepositNow(dynamo, tables.deposits, clock);
  const giveUp = createGiveUpUnreadable(dynamo, tables.deposits, clock);
  const searches = createHashSearches(dynamo, tables.deposits, clock);
  return routeByPath(
    new Map([
      registerCommand(offRampCommands.settleDepositContract, settleDeposit(settling)),
      registerCommand(offRampCommands.unsettleDepositContract, unsettleDeposit(settling)),
      registerCommand(offRampCommands.creditDepositContract, creditDeposit(crediting)),
      registerCommand(offRampCommands.confirmDepositContract, confirmDeposit({ ...common, confirms })),
      registerCommand(returnCommands.requestReturnContract, requestReturn(returning)),
      registerCommand(returnCommands.approveReturnContract, approveReturn(returning)),
      registerCommand(returnCommands.declineReturnContract, declineReturn(returning)),
      registerCommand(returnCommands.startReturnContract, startReturn(returning)),
      registerCommand(returnCommands.recordReturnContract, recordReturn(returning)),
      registerCommand(returnCommands.abortReturnContract, abortReturn(returning)),
      registerCommand(offRampCommands.putBackContract, putBack(createPutBack(dynamo, tables), clock)),
      registerCommand(offRampCommands.pollDepositContract, pollDeposit({ ...common, ...given, pollNow })),
      registerCommand(offRampCommands.giveUpUnreadableContract, giveUpUnreadable(giveUp)),
      registerCommand(offRampCommands.searchHashContract, searchHash({ ...given, searches, clock })),
      registerCommand(
        offRampCommands.resolveContradictionContract,
        resolveContradiction({ operations, contradictions, clock }),
      ),
    ]),
  );
}
