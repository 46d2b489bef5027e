import type * as z from 'zod/mini';
import { documentObject, type FieldText } from '#shared/platform/http/document.ts';
import type { event } from './event-envelope.ts';

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
