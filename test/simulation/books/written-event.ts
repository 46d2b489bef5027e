import * as z from 'zod/mini';
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

/** An event as the table has it, and what its body says. */
export interface WrittenEvent extends z.infer<typeof body> {
  readonly eventId: string;
  readonly clientId: string;
  readonly occurredAt: string;
  /** The type beside the body, by which it is delivered. */
  readonly itemType: string;
  /** The body as it is sent. */
  readonly text: string;
}

export function parseEvent(item: Item): WrittenEvent {
  return {
    ...body.parse(JSON.parse(text(item, 'body'))),
    eventId: text(item, 'eventId'),
    clientId: text(item, 'clientId'),
    occurredAt: text(item, 'occurredAt'),
    itemType: text(item, 'type'),
    text: text(item, 'body'),
  };
}
