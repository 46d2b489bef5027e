import type { ListEventsAbout } from '#shared/events/subject-events.ts';
import { lookedUp } from '#shared/operators/event-lookup.ts';
import type { ListDeliveriesOf } from '#shared/webhooks/store/delivery-repository.ts';
import { describeEvent } from './describe-event.ts';

export interface Telling {
  readonly listEventsAbout: ListEventsAbout;
  readonly listDeliveriesOf: ListDeliveriesOf;
}

/** The events of an operation or a pay-in, with their deliveries. */
export async function toldOf({ listEventsAbout, listDeliveriesOf }: Telling, subject: string, clientId: string) {
  const events = await listEventsAbout(subject);
  const eventIds = events.map(({ eventId }) => eventId);
  const deliveries = await listDeliveriesOf(clientId, eventIds);
  return { events: events.map(describeEvent), deliveries: deliveries.map(lookedUp) };
}
