import * as z from 'zod/mini';
import { instant } from '#shared/platform/http/fields.ts';

/*
 * The body of webhooks, by Standard Webhooks 1.0 (decisions.md 7, Payload). Never personal data. Each module has the
 * data of its events beside its contracts.
 */

/** Grows with every change of the resource, so that receivers can order deliveries. */
export const sequence = z.int().check(z.minimum(1));

export function event<Type extends string, Data extends z.ZodMiniObject>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), timestamp: instant, data });
}
