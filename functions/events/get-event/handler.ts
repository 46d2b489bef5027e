import { getEventContract } from '#shared/events/event-contract.ts';
import { createEventFeed } from '#shared/events/event-feed.ts';
import { externalEventId } from '#shared/events/service-event.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { getEvent } from './get-event.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const feed = createEventFeed(dynamo, setting('EVENTS_TABLE'));
  return clientEndpoint(getEventContract, clock, getEvent({ feed, clock }));
}

await warmUp(createEventFeed(dynamo, setting('EVENTS_TABLE')).find(NIL_UUID, externalEventId('', 'none'), new Date(0)));
export const handler = wire({ dynamo }, systemClock);
