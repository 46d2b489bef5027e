import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { simulateClient as contract } from '#shared/contracts/simulate-client.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { simulateClient } from './simulate-client.ts';

export function wire({ eventBridge }: Pick<AwsClients, 'eventBridge'>, clock: Clock) {
  const bus = eventBus(eventBridge, setting('EVENT_BUS_NAME'));
  return clientEndpoint(contract, clock, simulateClient(bus));
}

export const handler = wire({ eventBridge: new EventBridgeClient(awsClientOptions) }, systemClock);
