import * as z from 'zod/mini';
import type { ListEventsAbout, SubjectEvent } from '#shared/events/subject-events.ts';
import type { lookedUpEvent } from '#shared/operators/lookups.ts';
import { lookedUp } from '#shared/webhooks/contract/webhook-lookups.ts';
import type { ListDeliveriesOf } from '#shared/webhooks/store/delivery-repository.ts';

export interface EventsAndDeliveriesDependencies {
  readonly listEventsAbout: ListEventsAbout;
  readonly listDeliveriesOf: ListDeliveriesOf;
}

/** The events of an operation or a pay-in, with their deliveries. */
export async function listEventsAndDeliveries(
  { listEventsAbout, listDeliveriesOf }: EventsAndDeliveriesDependencies,
  subject: string,
  clientId: string,
) {
  const events = await listEventsAbout(subject);
  const eventIds = events.map(({ eventId }) => eventId);
  const deliveries = await listDeliveriesOf(clientId, eventIds);
  return { events: events.map(describeEvent), deliveries: deliveries.map(lookedUp) };
}

const statusBody = z.object({ data: z.object({ status: z.optional(z.string()), sequence: z.optional(z.int()) }) });

/** Describes an event with its status; an unreadable body gives no status. */
function describeEvent({
  eventId,
  type,
  occurredAt,
  body,
  unpublishedIn,
}: SubjectEvent): z.infer<typeof lookedUpEvent> {
  const { status, sequence } = statusBody.safeParse(parsed(body)).data?.data ?? {};
  return { occurredAt, type, status, sequence, isPublished: unpublishedIn === undefined, eventId };
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
