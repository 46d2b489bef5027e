import { randomUUID } from 'node:crypto';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SFNClient } from '@aws-sdk/client-sfn';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { simulateOperationContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import { createHeldPayouts } from '#shared/off-ramps/store/held-payouts.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createBeginAttempt } from '#shared/off-ramps/transitions/begin-attempt.ts';
import { createExpireOperation } from '#shared/off-ramps/transitions/expire-operation.ts';
import { createStartExecution } from '#shared/off-ramps/transitions/verification-executions.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
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
  const operations = createOffRampRepository(dynamo, tables.operations);
  return approvedEndpoint(
    simulateOperationContract,
    { dynamo, clientsTable: setting('CLIENTS_TABLE'), clock },
    simulateOperation({
      operations,
      expire: createExpireOperation(dynamo, tables.operations, {
        operations,
        beginAttempt: createBeginAttempt(dynamo, tables, clock),
        startExecution: createStartExecution(stepFunctions, setting('STATE_MACHINE_ARN')),
        clock,
      }),
      payouts: createHeldPayouts(dynamo, setting('SIMULATED_PAYMENTS_TABLE')),
      bus: eventBus(eventBridge, setting('EVENT_BUS_NAME')),
      newId,
    }),
  );
}

export const handler = wire(
  { dynamo, eventBridge: new EventBridgeClient(awsClientOptions), stepFunctions: new SFNClient(awsClientOptions) },
  systemClock,
  randomUUID,
);
