import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';

/*
 * What webhooks are sent: the body of Standard Webhooks 1.0 (decisions.md 7, Payload). Never personal data. What an event
 * says of a resource is written beside the contracts of the resource.
 */

/** Grows with every change of the resource, so that deliveries that arrive out of order can be put into order. */
export const sequence = z.int().check(z.minimum(1));

export function event<Type extends string, Data extends z.ZodMiniObject>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), timestamp: instant, data });
}
