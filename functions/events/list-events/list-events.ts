import { describeEvent, eventErrors, type FeedEvent, type listEventsContract } from '#shared/events/event-contract.ts';
import {
  type EventFeed,
  feedCursor,
  isExpired,
  oldestPosition,
  type PlacedEvent,
  parseFeedCursor,
  positionTime,
} from '#shared/events/event-feed.ts';
import { eventIdOf, positionAtTime } from '#shared/events/service-event.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError, invalid } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';

interface Dependencies {
  readonly feed: Pick<EventFeed, 'between'>;
  readonly clock: Clock;
  /** Seconds. No event gets a place that is older than that, so the feed is complete up to then. */
  readonly completeAfter: number;
}

/** The most events that one call examines if it filters by type. */
const MOST_EXAMINED = 300;

/** Events that are read at once if they are filtered by type: three reads have all that are examined, and one more. */
const GROUP = 101;

/** Characters of the bodies of a page: a function cannot answer more than 6 MB. */
const LARGEST = 1024 * 1024;

export function listEvents({ feed, clock, completeAfter }: Dependencies): UseCase<typeof listEventsContract> {
  return async ({ clientId, query }) => {
    const { after, limit, type } = query();
    const now = clock.now();
    const from = startOf(clientId, after, now);
    // The cursor may come from a function whose clock was ahead of this one: the feed never ends before it.
    const upTo = new Date(Math.max(now.getTime() - completeAfter * 1000, positionTime(from)));
    const most = Number(limit);
    const entries = feed.between(clientId, from, upTo, type === undefined ? most + 1 : GROUP);
    const { events, next } = await pageOf(entries, most, type);
    const nextCursor = feedCursor(clientId, next ?? latest(from, positionAtTime(upTo)));
    return { body: { events, nextCursor, hasMore: next !== undefined, upTo: upTo.toISOString() } };
  };
}

/** The position of the cursor; without one, that of the oldest events. */
function startOf(clientId: string, after: string | undefined, now: Date): string {
  if (after === undefined) return oldestPosition(now);
  const position = parseFeedCursor(clientId, after, now);
  if (position === undefined) {
    throw invalid({ path: 'query.after', code: 'INVALID_CURSOR', message: 'must be a cursor of this feed' });
  }
  if (!isExpired(position, now)) return position;
  const oldestCursor = feedCursor(clientId, oldestPosition(now));
  throw new ApiError(eventErrors.CURSOR_EXPIRED, { about: { oldestCursor } });
}

/** `next` is the place of the last examined event, if others follow it. */
async function pageOf(
  entries: AsyncIterable<PlacedEvent>,
  most: number,
  type: string | undefined,
): Promise<{ readonly events: FeedEvent[]; readonly next?: string | undefined }> {
  const events: FeedEvent[] = [];
  let [examined, length, last] = [0, 0, ''];
  for await (const { subject, change, place, body } of entries) {
    if (events.length === most || length >= LARGEST || examined === MOST_EXAMINED) return { events, next: last };
    const event = parseReadable(`${subject} ${change}`, () => describeEvent(eventIdOf({ subject, change }), body));
    if (event !== undefined && (type === undefined || event.type === type)) {
      events.push(event);
      length += body.length;
    }
    examined += 1;
    last = place;
  }
  return { events };
}

/** A position never goes back. */
function latest(one: string, other: string): string {
  return one > other ? one : other;
}
