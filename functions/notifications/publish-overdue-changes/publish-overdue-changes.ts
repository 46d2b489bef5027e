import type { ServiceEvent } from '#shared/domain/service-event.ts';
import type { Events } from '#shared/dynamodb/events.ts';
import type { PublishEvents } from '#shared/eventbridge/publish-events.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { inGroups } from '#shared/runtime/in-groups.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import { whileTimeLasts } from '#shared/runtime/while-time-lasts.ts';

interface Dependencies {
  readonly events: Pick<Events, 'unpublishedBefore' | 'find'>;
  readonly shards: readonly string[];
  readonly publish: PublishEvents;
  readonly clock: Clock;
}

/** An event this old has been missed by the stream, or was not taken by the bus. */
const OVERDUE_SECONDS = 60;

/** As many as the bus takes in one call. */
const BATCH = 10;

/** Leaves time to finish what was begun before the function's own time is up. */
const RUNS_FOR_SECONDS = 40;

/**
 * Publishes what the stream did not bring to the bus, however long ago it happened.
 *
 * @returns how many it found
 */
export function publishOverdueChanges(deps: Dependencies) {
  return async (): Promise<number> => {
    let due = 0;
    const { events, shards, clock } = deps;
    const startedAt = clock.now().getTime();
    const endsAt = startedAt + RUNS_FOR_SECONDS * 1000;
    const before = new Date(startedAt - OVERDUE_SECONDS * 1000).toISOString();
    await Promise.all(
      shards.map(async (shard) => {
        const overdue = whileTimeLasts(events.unpublishedBefore(shard, before), clock, endsAt);
        for await (const ids of inGroups(overdue, BATCH)) {
          due += ids.length;
          const found = await Promise.all(ids.map((eventId) => findOrReport(deps, eventId)));
          await publishOrReport(
            deps,
            found.filter((event) => event !== undefined),
          );
        }
      }),
    );
    return due;
  };
}

/** An item that cannot be read holds up no other. */
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
  for (const eventId of left) log.error('EVENT_NOT_PUBLISHED', { eventId });
}
