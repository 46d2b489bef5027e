import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { createHeldPayouts } from '#shared/off-ramps/store/held-payouts.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { handleEachMessage } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { simulatePayout } from './simulate-payout.ts';

export function wire({ dynamo, eventBridge }: Pick<AwsClients, 'dynamo' | 'eventBridge'>, clock: Clock) {
  const env = environment({
    operationsTable: 'OPERATIONS_TABLE',
    simulatedPaymentsTable: 'SIMULATED_PAYMENTS_TABLE',
    eventBusName: 'EVENT_BUS_NAME',
  });
  return handleEachMessage(
    'simulate-payout',
    clock,
    simulatePayout({
      operations: createOffRampRepository(dynamo, env.operationsTable),
      payouts: createHeldPayouts(dynamo, env.simulatedPaymentsTable),
      bus: eventBus(eventBridge, env.eventBusName),
    }),
  );
}

export const handler = wire({ dynamo, eventBridge: new EventBridgeClient(awsClientOptions) }, systemClock);
