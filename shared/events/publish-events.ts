import * as z from 'zod/mini';
import type { EventBus } from '#shared/platform/aws/event-bus.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { retryUnfinished } from '#shared/platform/retry.ts';
import type { Events } from './event-repository.ts';
import { OWN_SOURCE, SCHEMA_VERSION } from './notified-events.ts';
import type { ServiceEvent } from './service-event.ts';

interface Dependencies {
  readonly bus: EventBus;
  readonly events: Pick<Events, 'markPublished'>;
  readonly clock: Clock;
}

/** Tries to publish an event before it is left for the sweep. */
const TRIES = 4;

/** Milliseconds before the second try; twice as long before each one after it. */
const FIRST_PAUSE = 100;

const payload = z.object({ data: z.record(z.string(), z.unknown()) });

/**
 * Puts up to ten events on the bus, and repeats those that it did not accept. Returns the events that it still did not
 * accept, or that could not be marked as published: they stay unpublished in the table, where the sweep finds them.
 */
export function createPublishEvents({ bus, events, clock }: Dependencies) {
  return async (batch: readonly ServiceEvent[]): Promise<readonly ServiceEvent[]> => {
    const publish = async (waiting: readonly ServiceEvent[]) => {
      const refused = await offer(bus, waiting);
      const accepted = waiting.filter((event) => !refused.includes(event));
      const marked = await Promise.all(accepted.map((event) => isMarked(event)));
      return [...refused, ...accepted.filter((_, position) => !marked[position])];
    };
    /**
     * After a failure, the next try puts the event on the bus again with a new place; consumers ignore an event they
     * have.
     */
    const isMarked = async ({ eventId }: ServiceEvent): Promise<boolean> => {
      try {
        await events.markPublished(eventId, clock);
        return true;
      } catch (error) {
        log.warn('EVENT_NOT_MARKED', { eventId, cause: describe(error) });
        return false;
      }
    };
    return retryUnfinished(batch, publish, {
      clock,
      pause: (failed) => FIRST_PAUSE * 2 ** (failed - 1) * (0.5 + clock.random()),
      tries: TRIES,
    });
  };
}

export type PublishEvents = ReturnType<typeof createPublishEvents>;

/** The rejected events; all of them when the call itself failed. */
async function offer(bus: EventBus, batch: readonly ServiceEvent[]): Promise<readonly ServiceEvent[]> {
  try {
    const refused = await bus.put(batch.map(entryFor));
    return batch.filter((_, position) => refused.includes(position));
  } catch (error) {
    log.warn('EVENTS_NOT_TAKEN', { count: batch.length, cause: describe(error) });
    // An event that the bus always rejects must not delay the others of its call.
    if (batch.length === 1) return batch;
    return (await Promise.all(batch.map((event) => offer(bus, [event])))).flat();
  }
}

function entryFor({ eventId, clientId, type, occurredAt, body }: ServiceEvent) {
  const { data } = payload.parse(JSON.parse(body));
  return {
    source: OWN_SOURCE,
    type,
    detail: { ...data, schemaVersion: SCHEMA_VERSION, clientId, eventId, occurredAt },
  };
}
