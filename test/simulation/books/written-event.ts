import * as z from 'zod/mini';
import { eventIdOf } from '#shared/events/service-event.ts';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { text } from './items.ts';

const body = z.object({
  type: z.string(),
  timestamp: z.string(),
  data: z.looseObject({
    depositId: z.optional(z.string()),
    operationId: z.optional(z.string()),
    payinId: z.optional(z.string()),
    clientId: z.optional(z.string()),
    userId: z.optional(z.string()),
    status: z.optional(z.string()),
    previousStatus: z.optional(z.nullable(z.string())),
    sequence: z.optional(z.int()),
    attempt: z.optional(z.int()),
    windowEndsAt: z.optional(z.string()),
  }),
});

/** An event item, with its parsed body. */
export interface WrittenEvent extends z.infer<typeof body> {
  readonly eventId: string;
  /** The key: what the event is about, and which change of it. */
  readonly subject: string;
  readonly change: string;
  readonly clientId: string;
  readonly occurredAt: string;
  /** The type attribute of the item, which decides its delivery. */
  readonly itemType: string;
  /** The body as it is sent. */
  readonly text: string;
}

/** Returns the id that an event of the table is known by. */
export function idOfEvent(item: Item | undefined): string {
  return eventIdOf({ subject: text(item, 'subject'), change: text(item, 'change') });
}

export function parseEvent(item: Item): WrittenEvent {
  return {
    ...body.parse(JSON.parse(text(item, 'body'))),
    eventId: idOfEvent(item),
    subject: text(item, 'subject'),
    change: text(item, 'change'),
    clientId: text(item, 'clientId'),
    occurredAt: text(item, 'occurredAt'),
    itemType: text(item, 'type'),
    text: text(item, 'body'),
  };
}
