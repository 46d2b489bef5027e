import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { DescribeExecutionCommand, paginateGetExecutionHistory, SFNClient } from '@aws-sdk/client-sfn';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import * as z from 'zod/mini';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { eventSubject } from '#shared/events/service-event.ts';
import { createListEventsAbout } from '#shared/events/subject-events.ts';
import { simulatedTransactions } from '#shared/off-ramps/custodians/simulated/transactions.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { executionName } from '#shared/off-ramps/model/verification.ts';
import { findClaimant } from '#shared/off-ramps/store/claims.ts';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createVerificationRepository } from '#shared/off-ramps/store/verification-repository.ts';
import { createBeginAttempt } from '#shared/off-ramps/transitions/begin-attempt.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createStartExecution } from '#shared/off-ramps/transitions/verification-executions.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { documentClient } from '#shared/platform/dynamodb/client.ts';
import { RULES } from './off-ramp.ts';

const pollResult = z.object({
  lastCheckedAt: z.string(),
  outcome: z.string(),
  reason: z.optional(z.string()),
  nextCheckAt: z.optional(z.string()),
});

const operationEvent = z.object({ type: z.string(), data: z.looseObject({ sequence: z.int() }) });

/**
 * The service's own parts, working on the deployed tables and state machine from within the test, so that a test can
 * stop between any two of their steps.
 */
export function deployedParts() {
  const outputs = inject('outputs');
  const { stateMachineArn } = outputs;
  const stack = inject('stack');
  const connection = awsOf(outputs);
  const dynamo = documentClient(new DynamoDBClient(connection));
  const stepFunctions = new SFNClient(connection);
  const eventBridge = new EventBridgeClient(connection);
  const table = (name: string) => stack[`${name}Table`] ?? '';
  const tables = {
    operations: table('operations'),
    hashes: table('hashes'),
    deposits: table('deposits'),
    events: table('events'),
    clients: table('clients'),
  };
  return {
    dynamo,
    tables,
    operations: createOffRampRepository(dynamo, tables.operations),
    verifications: createVerificationRepository(dynamo, tables.operations, systemClock),
    deposits: createDepositRepository(dynamo, tables.deposits, systemClock),
    polls: createDepositPolls(dynamo, tables.deposits, systemClock),
    hashSearches: createHashSearches(dynamo, tables.deposits, systemClock),
    findTransfers: simulatedTransactions(dynamo, table('simulatedTransactions'), systemClock).findTransfers,
    creditDeposit: createCreditDeposit(dynamo, tables, systemClock, RULES),
    beginAttempt: createBeginAttempt(dynamo, tables, systemClock),
    startExecution: createStartExecution(stepFunctions, stateMachineArn),
    claimant: (kind: 'DECLARED' | 'FUNDED', txHash: string) => findClaimant(dynamo, tables.hashes, kind, txHash),
    stepFunctions,
    eventBridge,
    bus: eventBus(eventBridge, stack['EventBusName'] ?? ''),

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

    /** The result of each poll in the history of an execution, oldest first. */
    async pollResults(operationId: string, attempt: number): Promise<z.infer<typeof pollResult>[]> {
      const executionArn = `${stateMachineArn.replace(':stateMachine:', ':execution:')}:${executionName({ operationId, attempt, run: 1 })}`;
      const results: z.infer<typeof pollResult>[] = [];
      for await (const { events = [] } of paginateGetExecutionHistory({ client: stepFunctions }, { executionArn })) {
        const outputs = events.flatMap(({ stateExitedEventDetails, type }) =>
          type === 'TaskStateExited' ? (stateExitedEventDetails?.output ?? []) : [],
        );
        results.push(...outputs.map((output) => pollResult.parse(JSON.parse(output))));
      }
      return results;
    },

    /** The events of an operation, in the order of their sequence. */
    async eventsOf({ operationId }: Pick<OffRamp, 'operationId'>) {
      const kept = await createListEventsAbout(dynamo, tables.events)(eventSubject('operation', operationId));
      const events = kept.flatMap(({ body }) => operationEvent.safeParse(JSON.parse(body)).data ?? []);
      return events.toSorted((one, other) => one.data.sequence - other.data.sequence);
    },

    async depositItem(custodianTransferId: string): Promise<Record<string, unknown> | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: tables.deposits, Key: { custodianTransferId }, ConsistentRead: true }),
      );
      return Item;
    },
  };
}
