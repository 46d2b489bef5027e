import './settings.ts';

import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { wire as wireApplyStatusChange } from '#functions/off-ramps/apply-status-change/handler.ts';
import { wire as wireCancelOperation } from '#functions/off-ramps/cancel-operation/handler.ts';
import { wire as wireCheckDeposit } from '#functions/off-ramps/check-deposit/handler.ts';
import { wire as wireMatchDeposit } from '#functions/off-ramps/match-deposit/handler.ts';
import { wire as wireReceiveCustodianNotification } from '#functions/off-ramps/receive-custodian-notification/handler.ts';
import { releaseDueDeposits } from '#functions/off-ramps/release-due-deposits/release-due-deposits.ts';
import { restartLostVerifications } from '#functions/off-ramps/restart-lost-verifications/restart-lost-verifications.ts';
import { wire as wireSubmitOfframpHash } from '#functions/off-ramps/submit-offramp-hash/handler.ts';
import { network } from '#shared/networks/network.ts';
import { createOperation } from '#shared/off-ramps/create-operation.ts';
import type { FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import type { NotifiedTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { createSendDepositPoll } from '#shared/off-ramps/deposit-poll-messages.ts';
import { createDepositPolls } from '#shared/off-ramps/deposit-polls.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import { createOffRampStore } from '#shared/off-ramps/off-ramp-store.ts';
import { createRestartOverdue, createStartExecution } from '#shared/off-ramps/verification-executions.ts';
import { createVerificationStore } from '#shared/off-ramps/verification-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { Unavailable } from '#shared/platform/unavailable.ts';
import { AnswerLost } from '#test/simulation/aws/dynamodb/exceptions.ts';
import { gatewayEvent, problemOf } from '#test/support/gateway.ts';

const tables = { operations: 'operations', hashes: 'hashes', events: 'events' };

interface ServiceContext {
  readonly aws: Pick<AwsClients, 'dynamo' | 'sqs' | 'stepFunctions'>;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly findTransfers: FindTransfers;
}

/** How a call was answered; `code` is of a problem. */
export interface Answered {
  readonly status: number;
  readonly code?: string;
}

/** The service's functions as they are wired, but for the creation, which needs no more here than its transaction. */
export function createService({ aws, clock, newId, findTransfers }: ServiceContext) {
  const { dynamo, sqs, stepFunctions } = aws;
  const custodian = { findTransfers, readNotification };
  const submit = wireSubmitOfframpHash({ dynamo, stepFunctions }, clock, newId);
  const cancel = wireCancelOperation({ dynamo, custodian }, clock, newId);
  const notify = wireReceiveCustodianNotification({ dynamo, sqs, custodian }, clock);
  // The sweeps are told where something is due, and need not look everywhere.
  const operations = createOffRampStore(dynamo, tables.operations);
  const verifications = createVerificationStore(dynamo, tables.operations, clock);
  const startExecution = createStartExecution(stepFunctions, 'arn:aws:states:::stateMachine:verification');
  const restartOverdue = createRestartOverdue({ verifications, startExecution, clock });
  const polls = createDepositPolls(dynamo, 'deposits', clock);
  const sendPoll = createSendDepositPoll(sqs, 'notified-transfers');

  return {
    create: (operation: OffRamp) =>
      answeredAs(201, () => retryOnConflict(clock, () => createOperation(dynamo, tables, operation, newId))),
    submit: async (operation: OffRamp, txHash: string) => read(await submit(callOf(operation, { txHash }), context)),
    cancel: async (operation: OffRamp) => read(await cancel(callOf(operation), context)),
    notify: async (transfer: NotifiedTransfer) =>
      read(await notify(gatewayEvent({ body: JSON.stringify(transfer) }), context)),
    checkDeposit: wireCheckDeposit({ dynamo, custodian }, clock, newId),
    matchDeposit: wireMatchDeposit({ dynamo, sqs, custodian }, clock, newId),
    releaseDueDeposits: (shards: readonly string[]) => releaseDueDeposits({ polls, shards, sendPoll, clock })(),
    applyStatusChange: wireApplyStatusChange({ dynamo }, clock, newId),
    restartLostVerifications: (shards: readonly string[]) =>
      restartLostVerifications({ operations, verifications, shards, restartOverdue, clock })(),
  };
}

export type Service = ReturnType<typeof createService>;

/** Without the time that is left, by which middy would set a timer of its own: here the schedule ends invocations. */
const context = z.custom<Context>().parse({});

const notified = z.object({ custodianTransferId: z.string(), network, txHash: z.string() });

/** Signatures are another test's. */
async function readNotification({ rawBody }: { readonly rawBody: Buffer }): Promise<NotifiedTransfer> {
  return notified.parse(JSON.parse(rawBody.toString()));
}

function callOf({ clientId, userId, operationId }: OffRamp, body?: object) {
  return gatewayEvent({
    pathParameters: { user_id: userId, operation_id: operationId },
    body: JSON.stringify(body) ?? null,
    requestContext: { requestId: 'request', authorizer: { clientId, exp: '4000000000' } },
  });
}

function read(answer: APIGatewayProxyResult): Answered {
  return { status: answer.statusCode, ...(answer.statusCode >= 400 && { code: problemOf(answer).code }) };
}

/** The endpoint answers what is thrown in the same way. */
async function answeredAs(status: number, work: () => Promise<unknown>): Promise<Answered> {
  try {
    await work();
    return { status };
  } catch (error) {
    if (error instanceof Unavailable) return { status: 503, code: 'SERVICE_UNAVAILABLE' };
    if (error instanceof DynamoDBServiceException || error instanceof AnswerLost) return { status: 500 };
    throw error;
  }
}
