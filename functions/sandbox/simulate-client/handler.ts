import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { simulateClient as contract } from '#shared/contracts/simulate-client.ts';
import { eventBus } from '#shared/eventbridge/event-bus.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { setting } from '#shared/runtime/environment.ts';
import { simulateClient } from './simulate-client.ts';

const bus = eventBus(new EventBridgeClient(awsClientOptions), setting('EVENT_BUS_NAME'));

export const handler = clientEndpoint(contract, simulateClient(bus));
