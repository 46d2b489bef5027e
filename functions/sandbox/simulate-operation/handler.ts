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
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { createExpireOperation } from '#shared/sandbox/expire-operation.ts';
import { createHeldPayouts } from '#shared/sandbox/held-payouts.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { simulateOperation } from './simulate-operation.ts';

const tables = {
  operations: setting('OPERATIONS_TABLE'),
  hashes: setting('HASHES_TABLE'),
  events: setting('EVENTS_TABLE'),
};
const operations = operationsIn(dynamo, tables.operations);

export const handler = approvedEndpoint(
  contract,
  clientsIn(dynamo, setting('CLIENTS_TABLE')),
  simulateOperation({
    operations,
    expire: createExpireOperation(dynamo, tables.operations, {
      operations,
      beginAttempt: attemptStarter(dynamo, tables, systemClock, randomUUID),
      startExecution: executionsOf(new SFNClient(awsClientOptions), setting('STATE_MACHINE_ARN')),
      clock: systemClock,
    }),
    payouts: createHeldPayouts(dynamo, setting('SIMULATED_PAYMENTS_TABLE')),
    bus: eventBus(new EventBridgeClient(awsClientOptions), setting('EVENT_BUS_NAME')),
  }),
);
