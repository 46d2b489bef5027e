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
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { simulateOperation } from './simulate-operation.ts';

export function wire(
  { dynamo, eventBridge, stepFunctions }: Pick<AwsClients, 'dynamo' | 'eventBridge' | 'stepFunctions'>,
  clock: Clock,
  newId: () => string,
) {
  const env = environment({
    clientsTable: 'CLIENTS_TABLE',
    stateMachineArn: 'STATE_MACHINE_ARN',
    simulatedPaymentsTable: 'SIMULATED_PAYMENTS_TABLE',
    eventBusName: 'EVENT_BUS_NAME',
  });
  const tables = environment({ operations: 'OPERATIONS_TABLE', hashes: 'HASHES_TABLE', events: 'EVENTS_TABLE' });
  const operations = createOffRampRepository(dynamo, tables.operations);
  return approvedEndpoint(
    simulateOperationContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    simulateOperation({
      operations,
      expire: createExpireOperation(dynamo, tables.operations, {
        operations,
        beginAttempt: createBeginAttempt(dynamo, tables, clock),
        startExecution: createStartExecution(stepFunctions, env.stateMachineArn),
        clock,
      }),
      payouts: createHeldPayouts(dynamo, env.simulatedPaymentsTable),
      bus: eventBus(eventBridge, env.eventBusName),
      newId,
    }),
  );
}

export const handler = wire(
  { dynamo, eventBridge: new EventBridgeClient(awsClientOptions), stepFunctions: new SFNClient(awsClientOptions) },
  systemClock,
  randomUUID,
);
