import * as z from 'zod/mini';
import type { KeptEvent } from '#shared/events/subject-events.ts';
import type { lookedUpEvent } from '#shared/operators/event-lookup.ts';

const said = z.object({ data: z.object({ status: z.optional(z.string()), sequence: z.optional(z.int()) }) });

/** An event with its status; also one whose body cannot be read. */
export function describeEvent({
  eventId,
  type,
  occurredAt,
  body,
  unpublishedIn,
}: KeptEvent): z.infer<typeof lookedUpEvent> {
  const { status, sequence } = said.safeParse(parsed(body)).data?.data ?? {};
  return { occurredAt, type, status, sequence, isPublished: unpublishedIn === undefined, eventId };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
