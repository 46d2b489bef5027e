import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import type { PublishEvents } from '#shared/events/publish-events.ts';
import { serviceEvent } from '#shared/events/service-event.ts';
import { idsIn } from '#shared/platform/ids.ts';
import { log } from '#shared/platform/logger.ts';

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
 * @returns how many the stream delivered
 */
export function publishStatusChanges(publish: PublishEvents) {
  return async (event: unknown): Promise<number> => {
    const { Records } = streamEvent.parse(event);
    const left = await publish(Records.map(({ dynamodb }) => serviceEvent.parse(unmarshall(dynamodb.NewImage))));
    for (const { eventId, body } of left) log.warn('EVENT_LEFT_TO_THE_SWEEP', { eventId, ...idsIn(body) });
    return Records.length;
  };
}
