import { randomUUID } from 'node:crypto';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { inject } from 'vitest';
import * as z from 'zod/mini';
import { rootCredentials } from '#infra/local/demo-data.ts';
import { simulatedFindTransfers } from '#shared/custodian/simulated/transactions.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import { attemptStarter } from '#shared/dynamodb/begin-attempt.ts';
import { toItem } from '#shared/dynamodb/client.ts';
import { confirmerOf } from '#shared/dynamodb/confirm-deposit.ts';
import { createDepositPolls } from '#shared/dynamodb/deposit-polls.ts';
import { depositsIn } from '#shared/dynamodb/deposits.ts';
import { eventsIn } from '#shared/dynamodb/events.ts';
import { claimantOf } from '#shared/dynamodb/hash-claims.ts';
import { createHashSearches } from '#shared/dynamodb/hash-searches.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { verificationsIn } from '#shared/dynamodb/verifications.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { executionName, executionsOf } from '#shared/step-functions/verification-executions.ts';

const operationEvent = z.object({ type: z.string(), data: z.looseObject({ sequence: z.int() }) });

/**
 * The service's own parts, working on the deployed tables and state machine from within the test, so that a test can
 * stop between any two of their steps.
 */
export function deployedParts() {
  const { awsEndpoint, stateMachineArn } = inject('outputs');
  const stack = inject('stack');
  const connection = { endpoint: awsEndpoint, region: 'us-east-1', credentials: rootCredentials };
  const dynamo = new DynamoDBClient(connection);
  const stepFunctions = new SFNClient(connection);
  const table = (name: string) => stack[`${name}Table`] ?? '';
  const tables = {
    operations: table('operations'),
    hashes: table('hashes'),
    deposits: table('deposits'),
    events: table('events'),
  };
  return {
    dynamo,
    tables,
    operations: operationsIn(dynamo, tables.operations),
    verifications: verificationsIn(dynamo, tables.operations, systemClock),
    deposits: depositsIn(dynamo, tables.deposits, systemClock),
    polls: createDepositPolls(dynamo, tables.deposits, systemClock),
    hashSearches: createHashSearches(dynamo, tables.deposits, systemClock),
    findTransfers: simulatedFindTransfers(dynamo, table('simulatedTransactions')),
    confirmDeposit: confirmerOf(dynamo, tables, systemClock, randomUUID),
    beginAttempt: attemptStarter(dynamo, tables, systemClock, randomUUID),
    startExecution: executionsOf(stepFunctions, stateMachineArn),
    claimant: (kind: 'DECLARED' | 'FUNDED', txHash: string) => claimantOf(dynamo, tables.hashes, kind, txHash),
    stepFunctions,
    bus: eventBus(new EventBridgeClient(connection), stack['EventBusName'] ?? ''),

    /** An execution found by the operation's id, as finance operations find it; `undefined` when there is none. */
    async execution(operationId: string, attempt: number, run = 1) {
      const name = executionName({ operationId, attempt, run });
      const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${name}`;
      try {
        return await stepFunctions.send(new DescribeExecutionCommand({ executionArn }));
      } catch (error) {
        if (error instanceof Error && error.name === 'ExecutionDoesNotExist') return undefined;
        throw error;
      }
    },

    /** What was told of an operation, in the order of its sequence. */
    async eventsOf({ operationId, clientId, createdAt }: Pick<OffRamp, 'operationId' | 'clientId' | 'createdAt'>) {
      const events = eventsIn(dynamo, tables.events);
      const told: z.infer<typeof operationEvent>[] = [];
      for await (const eventId of events.ofClientSince(clientId, createdAt)) {
        const { body = '' } = (await events.find(eventId)) ?? {};
        const event = operationEvent.safeParse(JSON.parse(body));
        if (event.data?.data['operationId'] === operationId) told.push(event.data);
      }
      return told.toSorted((one, other) => one.data.sequence - other.data.sequence);
    },

    async depositItem(custodianTransferId: string): Promise<Record<string, unknown> | undefined> {
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: tables.deposits, Key: toItem({ custodianTransferId }), ConsistentRead: true }),
      );
      return Item && unmarshall(Item);
    },
  };
}
