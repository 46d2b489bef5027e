import * as z from 'zod/mini';
import { documentObject, type FieldText } from '#shared/platform/http/document.ts';
import { instant } from '#shared/platform/http/fields.ts';

/*
 * The body of webhooks, by Standard Webhooks 1.0 (decisions.md 7, Payload). It never contains personal data. Each
 * module defines the data of its events beside its contracts.
 */

/** Grows with every change of the resource, so that receivers can order deliveries. */
export const sequence = z.int().check(z.minimum(1));

export function event<Type extends string, Data extends z.ZodMiniObject>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), timestamp: instant, data });
}

/** Describes an event in the published interface. Bundles leave it out, like the other texts (document.ts). */
export function documentEvent<Type extends string, Data extends z.ZodMiniObject>(
  name: string,
  schema: ReturnType<typeof event<Type, Data>>,
  description: string,
  fields: Readonly<Record<keyof Data['shape'], FieldText>>,
): void {
  documentObject(`${name}Event`, schema, description, {
    type: 'Type of the event.',
    timestamp: 'When it happened; the same on every attempt.',
    data: 'What happened.',
  });
  documentObject<Data>(`${name}EventData`, schema.shape.data, description, fields);
}
