import * as z from 'zod/mini';
import { listEventsContract } from '#shared/events/event-contract.ts';
import { createEventFeed } from '#shared/events/event-feed.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listEvents } from './list-events.ts';

const seconds = z.coerce.number().check(z.positive());

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ eventsTable: 'EVENTS_TABLE', completeAfter: 'FEED_COMPLETE_AFTER_SECONDS' });
  const feed = createEventFeed(dynamo, env.eventsTable);
  const completeAfter = seconds.parse(env.completeAfter);
  return clientEndpoint(listEventsContract, clock, listEvents({ feed, clock, completeAfter }));
}

await warmUp(createEventFeed(dynamo, setting('EVENTS_TABLE')).between(NIL_UUID, '0', new Date(1), 1).next());
export const handler = wire({ dynamo }, systemClock);
