import './settings.ts';

import { DynamoDBServiceException } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { wire as wireCancelOperation } from '#functions/api/cancel-operation/handler.ts';
import { wire as wireReceiveCustodianNotification } from '#functions/api/receive-custodian-notification/handler.ts';
import { wire as wireSubmitOfframpHash } from '#functions/api/submit-offramp-hash/handler.ts';
import { wire as wireApplyStatusChange } from '#functions/operations/apply-status-change/handler.ts';
import { wire as wireCheckDeposit } from '#functions/verification/check-deposit/handler.ts';
import { wire as wireMatchDeposit } from '#functions/verification/match-deposit/handler.ts';
import { releaseDueDeposits } from '#functions/verification/release-due-deposits/release-due-deposits.ts';
import { restartLostVerifications } from '#functions/verification/restart-lost-verifications/restart-lost-verifications.ts';
import type { FindTransfers, NotifiedTransfer } from '#shared/custodian/custodian.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import { createOperation } from '#shared/dynamodb/create-operation.ts';
import { createDepositPolls } from '#shared/dynamodb/deposit-polls.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { retryOnConflict } from '#shared/dynamodb/retry-on-conflict.ts';
import { verificationsIn } from '#shared/dynamodb/verifications.ts';
import { network } from '#shared/networks/network-value.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { Unavailable } from '#shared/runtime/unavailable.ts';
import { createSendDepositPoll } from '#shared/sqs/deposit-polls.ts';
import { createRestartOverdue } from '#shared/step-functions/overdue-verifications.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { gatewayEvent, problemOf } from '#test/support/gateway.ts';
import { AnswerLost } from '../dynamodb/exceptions.ts';

const tables = { operations: 'operations', hashes: 'hashes', events: 'events' };

interface Surroundings {
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
export function createService({ aws, clock, newId, findTransfers }: Surroundings) {
  const { dynamo, sqs, stepFunctions } = aws;
  const custodian = { findTransfers, readNotification };
  const submit = wireSubmitOfframpHash({ dynamo, stepFunctions }, clock, newId);
  const cancel = wireCancelOperation({ dynamo, custodian }, clock, newId);
  const notify = wireReceiveCustodianNotification({ dynamo, sqs, custodian }, clock);
  // The sweeps are told where something is due, and need not look everywhere.
  const operations = operationsIn(dynamo, tables.operations);
  const verifications = verificationsIn(dynamo, tables.operations, clock);
  const startExecution = executionsOf(stepFunctions, 'arn:aws:states:::stateMachine:verification');
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
