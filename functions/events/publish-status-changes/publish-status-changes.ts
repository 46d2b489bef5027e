import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { PublishEvents } from '#shared/events/publish-events.ts';
import { type ServiceEvent, serviceEvent } from '#shared/events/service-event.ts';
import { idsIn } from '#shared/platform/ids.ts';
import { type Gauges, log } from '#shared/platform/logger.ts';

/** Inserts of the events table, as its stream delivers them. */
const streamEvent = z.object({
  Records: z.array(
    z.object({
      dynamodb: z.object({ NewImage: z.custom<Record<string, AttributeValue>>((value) => value !== undefined) }),
    }),
  ),
});

/**
 * Publishes an event as soon as it is in the table. If the bus does not accept it, it stays unpublished for the sweep,
 * and delays no other.
 *
 * @param tell receives the number of changes of each kind, such as `deposit CREDITED`, for dashboards
 * @returns the number of events that the stream delivered
 */
export function publishStatusChanges(publish: PublishEvents, tell: (changes: Gauges) => void) {
  return async (event: unknown): Promise<number> => {
    const { Records } = streamEvent.parse(event);
    const events = Records.map(({ dynamodb }) => serviceEvent.parse(unmarshall(dynamodb.NewImage)));
    const left = await publish(events);
    for (const { eventId, body } of left) log.warn('EVENT_LEFT_TO_THE_SWEEP', { eventId, ...idsIn(body) });
    const kinds = Map.groupBy(events, kindOf);
    tell(Object.fromEntries([...kinds].map(([kind, of]) => [kind, of.length])));
    return events.length;
  };
}

const withStatus = z.object({ data: z.object({ status: z.optional(z.string()) }) });

/**
 * `deposit CREDITED` for a change of status. Any other event counts by its type, such as `payin reversed`: it carries
 * an unchanged status, so by that a payment that was taken back would count as a payment.
 */
function kindOf({ type, body }: ServiceEvent): string {
  const [, subject, what = 'OTHER'] = type.split('.');
  if (what !== 'status_changed') return [subject, what].join(' ');
  const { data } = withStatus.safeParse(JSON.parse(body));
  return [subject, data?.data.status ?? 'OTHER'].join(' ');
}
