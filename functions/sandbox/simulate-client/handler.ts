import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { simulateClient as contract } from '#shared/contracts/simulate-client.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { setting } from '#shared/runtime/environment.ts';
import { simulateClient } from './simulate-client.ts';

export function wire({ eventBridge }: Pick<AwsClients, 'eventBridge'>) {
  const bus = eventBus(eventBridge, setting('EVENT_BUS_NAME'));
  return clientEndpoint(contract, simulateClient(bus));
}

export const handler = wire({ eventBridge: new EventBridgeClient(awsClientOptions) });
