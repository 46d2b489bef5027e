import { randomUUID } from 'node:crypto';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { simulateClientContract } from '#shared/clients/client-sandbox-contract.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { simulateClient } from './simulate-client.ts';

export function wire({ eventBridge }: Pick<AwsClients, 'eventBridge'>, clock: Clock, newId: () => string) {
  const bus = eventBus(eventBridge, setting('EVENT_BUS_NAME'));
  return clientEndpoint(simulateClientContract, clock, simulateClient(bus, newId));
}

export const handler = wire({ eventBridge: new EventBridgeClient(awsClientOptions) }, systemClock, randomUUID);
