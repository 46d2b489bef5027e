import { type Events, unpublishedShards } from '#shared/events/event-repository.ts';
import type { PublishEvents } from '#shared/events/publish-events.ts';
import type { ServiceEvent } from '#shared/events/service-event.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { idsIn } from '#shared/platform/ids.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { sweepGroups } from '#shared/platform/sweep.ts';

interface Dependencies {
  readonly events: Pick<Events, 'unpublishedBefore' | 'find'>;
  readonly publish: PublishEvents;
  readonly clock: Clock;
}

/** Seconds after which the stream has missed an event, or the bus did not accept it. */
const OVERDUE_SECONDS = 60;

/** The most events that the bus accepts in one call. */
export const BATCH = 10;

/** Seconds for which a run starts new work: it can finish before the function times out. */
export const RUNS_FOR_SECONDS = 40;

/**
 * Publishes the events that the stream did not publish, however old they are. Clients take no turns: it publishes a
 * thousand events a second, so an hour's events of one client take a few minutes.
 *
 * @returns the number of events that it found
 */
export function publishOverdueChanges(deps: Dependencies) {
  return (): Promise<number> => {
    const { events, clock } = deps;
    const startedAt = clock.now().getTime();
    const before = new Date(startedAt - OVERDUE_SECONDS * 1000).toISOString();
    return sweepGroups(
      unpublishedShards.map((shard) => events.unpublishedBefore(shard, before)),
      async (ids) => {
        const found = await Promise.all(ids.map((eventId) => findOrReport(deps, eventId)));
        await publishOrReport(
          deps,
          found.filter((event) => event !== undefined),
        );
      },
      { clock, until: startedAt + RUNS_FOR_SECONDS * 1000, groupsOf: BATCH },
    );
  };
}

/** Finds an event. An unreadable one is logged, and delays no other. */
async function findOrReport({ events }: Dependencies, eventId: string): Promise<ServiceEvent | undefined> {
  try {
    return await events.find(eventId);
  } catch (error) {
    log.error('EVENT_NOT_READ', { eventId, cause: describe(error) });
    return undefined;
  }
}

async function publishOrReport({ publish }: Dependencies, batch: readonly ServiceEvent[]): Promise<void> {
  if (batch.length === 0) return;
  const left = await publish(batch);
  log.warn('EVENTS_PUBLISHED_LATE', { count: batch.length - left.length });
  for (const { eventId, body } of left) log.error('EVENT_NOT_PUBLISHED', { eventId, ...idsIn(body) });
}
