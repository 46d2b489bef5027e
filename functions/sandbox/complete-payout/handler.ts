import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { createHeldPayouts } from '#shared/sandbox/held-payouts.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { completePayout } from './complete-payout.ts';

export function wire({ dynamo, eventBridge }: Pick<AwsClients, 'dynamo' | 'eventBridge'>, clock: Clock) {
  return eachMessage(
    'complete-payout',
    clock,
    completePayout({
      operations: operationsIn(dynamo, setting('OPERATIONS_TABLE')),
      payouts: createHeldPayouts(dynamo, setting('SIMULATED_PAYMENTS_TABLE')),
      bus: eventBus(eventBridge, setting('EVENT_BUS_NAME')),
    }),
  );
}

export const handler = wire({ dynamo, eventBridge: new EventBridgeClient(awsClientOptions) }, systemClock);
