import * as z from 'zod/mini';
import { ID_SHAPE } from './id-shape.ts';
import type { Fields } from './logger.ts';

const id = z.catch(z.optional(z.string().check(z.regex(ID_SHAPE))), undefined);
const ids = z.object({
  clientId: id,
  userId: id,
  operationId: id,
  payinId: id,
  webhookId: id,
  deliveryId: id,
  eventId: id,
  custodianTransferId: id,
});
const event = z.object({ detail: ids });
const withIds = z.union([event, z.object({ event }), z.object({ data: ids }), ids]);

/**
 * The ids that a JSON text names, for the lines about it: itself, as an event of the bus in its detail, also where a rule
 * has put something beside the event, or as an event for webhooks in its data.
 */
export function idsIn(text: string): Fields {
  try {
    const named = withIds.parse(JSON.parse(text));
    if ('detail' in named) return named.detail;
    if ('event' in named) return named.event.detail;
    return 'data' in named ? named.data : named;
  } catch {
    return {};
  }
}
