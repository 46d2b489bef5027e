import { cancelOperation } from '#functions/api/cancel-operation/cancel-operation.ts';
import { receiveCustodianNotification } from '#functions/api/receive-custodian-notification/receive-custodian-notification.ts';
import { submitOfframpHash } from '#functions/api/submit-offramp-hash/submit-offramp-hash.ts';
import { applyStatusChange } from '#functions/operations/apply-status-change/apply-status-change.ts';
import { changeClient } from '#functions/operations/apply-status-change/change-client.ts';
import { changeOperation } from '#functions/operations/apply-status-change/change-operation.ts';
import { checkDeposit } from '#functions/verification/check-deposit/check-deposit.ts';
import { candidatesIn } from '#functions/verification/match-deposit/candidates.ts';
import { matchDeposit } from '#functions/verification/match-deposit/match-deposit.ts';
import { poll } from '#functions/verification/match-deposit/poll.ts';
import { searchHash } from '#functions/verification/match-deposit/search-hash.ts';
import { releaseDueDeposits } from '#functions/verification/release-due-deposits/release-due-deposits.ts';
import { restartLostVerifications } from '#functions/verification/restart-lost-verifications/restart-lost-verifications.ts';
import type { FindTransfers, NotifiedTransfer } from '#shared/custodian/custodian.ts';
import { notificationsInNormalForm, transfersInNormalForm } from '#shared/custodian/normal-form.ts';
import { patiently } from '#shared/custodian/patiently.ts';
import type { Network, NetworkRules } from '#shared/domain/network.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import { createFindAddressOwners } from '#shared/dynamodb/assigned-addresses.ts';
import { attemptStarter } from '#shared/dynamodb/begin-attempt.ts';
import { clientApprovalsIn } from '#shared/dynamodb/client-approvals.ts';
import { confirmerOf } from '#shared/dynamodb/confirm-deposit.ts';
import { createOperation } from '#shared/dynamodb/create-operation.ts';
import { decideAgain } from '#shared/dynamodb/decide-again.ts';
import { createDepositPolls } from '#shared/dynamodb/deposit-polls.ts';
import { depositsIn } from '#shared/dynamodb/deposits.ts';
import { operationEnder } from '#shared/dynamodb/end-operation.ts';
import { createEndWindow } from '#shared/dynamodb/end-window.ts';
import { claimantOf } from '#shared/dynamodb/hash-claims.ts';
import { createHashSearches } from '#shared/dynamodb/hash-searches.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { verificationsIn } from '#shared/dynamodb/verifications.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { createSendDepositPoll, parseDepositPoll } from '#shared/sqs/deposit-polls.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { createRestartOverdue } from '#shared/step-functions/overdue-verifications.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { httpRequest } from '#test/support/http-request.ts';
import type { AwsClients } from '../kernel/aws.ts';

const tables = {
  operations: 'operations',
  hashes: 'hashes',
  deposits: 'deposits',
  events: 'events',
  clients: 'clients',
};

interface Surroundings {
  readonly aws: AwsClients;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly findTransfers: FindTransfers;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
  readonly lateWindowSeconds: number;
}

/** The service's functions, wired as their handlers wire them. */
export function createService(around: Surroundings) {
  const { aws, clock, newId, networkRules, lateWindowSeconds } = around;
  const { dynamo } = aws;
  const operations = operationsIn(dynamo, tables.operations);
  const verifications = verificationsIn(dynamo, tables.operations);
  const deposits = depositsIn(dynamo, tables.deposits);
  const findTransfers = patiently(transfersInNormalForm(around.findTransfers), clock);
  const beginAttempt = attemptStarter(dynamo, tables, clock, newId);
  const confirmDeposit = confirmerOf(dynamo, tables, clock, newId);
  const endOperation = operationEnder(dynamo, tables, clock, newId);
  const startExecution = executionsOf(aws.stepFunctions, 'arn:aws:states:::stateMachine:verification');
  const restartOverdue = createRestartOverdue({ verifications, startExecution, clock });
  const hashSearches = createHashSearches(dynamo, tables.deposits);
  const polls = createDepositPolls(dynamo, tables.deposits);
  const sendPoll = createSendDepositPoll(aws.sqs, 'notified-transfers');
  const detection = { deposits, polls, sendPoll, findTransfers, networkRules, clock };

  const submit = submitOfframpHash({
    operations,
    beginAttempt,
    hashSearches,
    startExecution,
    restartOverdue,
    clock,
    lateWindowSeconds,
  });
  const cancel = cancelOperation({ operations, deposits, findTransfers, endOperation, clock });
  const candidatesFor = candidatesIn(
    operations,
    (txHash) => claimantOf(dynamo, tables.hashes, 'DECLARED', txHash),
    clock,
  );
  const pollOne = poll({
    matchDeposit: matchDeposit({ ...detection, candidatesFor, confirmDeposit }),
    searchHash: searchHash({ ...detection, searches: hashSearches }),
  });
  const apply = applyStatusChange({
    changeOperation: changeOperation({ operations, endOperation, clock }),
    changeClient: changeClient({ approvals: clientApprovalsIn(dynamo, tables, clock, newId), clock }),
  });

  return {
    create: (operation: OffRamp) => decideAgain(clock, () => createOperation(dynamo, tables, operation, newId)),
    submit: (operation: OffRamp, txHash: string) => submit({ ...callBy(operation), body: () => ({ txHash }) }),
    cancel: (operation: OffRamp) => cancel({ ...callBy(operation), body: () => undefined }),
    notify: (transfer: NotifiedTransfer) =>
      receiveCustodianNotification({
        // Signatures are another test's.
        readNotification: notificationsInNormalForm(async () => transfer),
        deposits,
        sendPoll,
        clock,
      })({ clientId: '', path: {}, query: () => ({}), body: () => undefined, http: httpRequest('') }),
    checkDeposit: checkDeposit({
      operations,
      verifications,
      endWindow: createEndWindow(dynamo, tables, clock, newId),
      findTransfers,
      findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
      confirmDeposit,
      networkRules,
      clock,
    }),
    matchDeposit: eachMessage('match-deposit', (body) => pollOne(parseDepositPoll(body))),
    releaseDueDeposits: (shards: readonly string[]) => releaseDueDeposits({ polls, shards, sendPoll, clock })(),
    applyStatusChange: eachMessage('apply-status-change', apply),
    restartLostVerifications: (shards: readonly string[]) =>
      restartLostVerifications({ operations, verifications, shards, restartOverdue, clock })(),
  };
}

export type Service = ReturnType<typeof createService>;

function callBy({ clientId, userId, operationId }: OffRamp) {
  const path = { user_id: userId, operation_id: operationId };
  return { clientId, path, query: () => undefined, http: httpRequest('') };
}
