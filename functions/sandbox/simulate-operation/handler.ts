import { randomUUID } from 'node:crypto';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SFNClient } from '@aws-sdk/client-sfn';
import { simulateOperation as contract } from '#shared/contracts/simulate-operation.ts';
import { attemptStarter } from '#shared/dynamodb/begin-attempt.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { createExpireOperation } from '#shared/sandbox/expire-operation.ts';
import { createHeldPayouts } from '#shared/sandbox/held-payouts.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { simulateOperation } from './simulate-operation.ts';

export function wire(
  { dynamo, eventBridge, stepFunctions }: Pick<AwsClients, 'dynamo' | 'eventBridge' | 'stepFunctions'>,
  clock: Clock,
  newId: () => string,
) {
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    events: setting('EVENTS_TABLE'),
  };
  const operations = operationsIn(dynamo, tables.operations);
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    simulateOperation({
      operations,
      expire: createExpireOperation(dynamo, tables.operations, {
        operations,
        beginAttempt: attemptStarter(dynamo, tables, clock, newId),
        startExecution: executionsOf(stepFunctions, setting('STATE_MACHINE_ARN')),
        clock,
      }),
      payouts: createHeldPayouts(dynamo, setting('SIMULATED_PAYMENTS_TABLE')),
      bus: eventBus(eventBridge, setting('EVENT_BUS_NAME')),
    }),
  );
}

export const handler = wire(
  { dynamo, eventBridge: new EventBridgeClient(awsClientOptions), stepFunctions: new SFNClient(awsClientOptions) },
  systemClock,
  randomUUID,
);
