import type * as z from 'zod/mini';
import type { lookedUpEvent } from '#shared/operators/lookups.ts';

/** Milliseconds after which an event that the bus has not accepted is late: a sweep publishes it every minute. */
const LATE = 3 * 60_000;

/** Milliseconds after which the cause must be the event itself. */
const STUCK = 3600_000;

interface Step<Who> {
  readonly who: Who;
  readonly what: string;
  readonly at?: string | undefined;
}

/** Adds to the next step that an event has not reached the client yet. */
export function withLateEvent<Who extends string>(
  step: Step<Who>,
  events: readonly z.infer<typeof lookedUpEvent>[],
  now: Date,
): Step<Who | 'FINANCE' | 'SERVICE'> {
  const late = events.find(({ isPublished, occurredAt }) => !isPublished && age(occurredAt, now) > LATE);
  if (late === undefined) return step;
  const { eventId, type, status, occurredAt } = late;
  const isStuck = age(occurredAt, now) > STUCK;
  const told = `The client was not told of ${type}${status === undefined ? '' : ` ${status}`} of ${occurredAt}: the bus has not accepted the event ${eventId}.`;
  const repair = isStuck
    ? 'It is published again every minute: see EVENT_NOT_PUBLISHED in the logs.'
    : 'It is published again every minute.';
  const who = step.who === 'NOBODY' ? (isStuck ? 'FINANCE' : 'SERVICE') : step.who;
  return { ...step, who, what: `${step.what} ${told} ${repair}` };
}

function age(at: string, now: Date): number {
  return now.getTime() - Date.parse(at);
}
