import { describeEvent, eventErrors, type getEventContract } from '#shared/events/event-contract.ts';
import type { EventFeed } from '#shared/events/event-feed.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly feed: Pick<EventFeed, 'find'>;
  readonly clock: Clock;
}

export function getEvent({ feed, clock }: Dependencies): UseCase<typeof getEventContract> {
  return async ({ clientId, path, query }) => {
    query();
    const body = await feed.find(clientId, path.event_id, clock.now());
    if (body === undefined) throw new ApiError(eventErrors.EVENT_NOT_FOUND);
    return { body: describeEvent(path.event_id, body) };
  };
}
