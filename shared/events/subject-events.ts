import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetFound } from '#shared/platform/dynamodb/batch-get.ts';
import { firstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { serviceEvent } from './service-event.ts';

/** Events of ours, by the operation, the pay-in or the client that they are about. */
const ABOUT_INDEX = 'about';

/** Of one subject, the newest; an operation with more has a stranger who sends it deposits. */
const MOST = 100;

const indexEntry = z.object({ eventId: z.string() });

/** An event, and whether the bus has not accepted it yet. */
const keptEvent = z.extend(serviceEvent, { unpublishedIn: z.optional(z.string()) });

export type KeptEvent = Readonly<z.infer<typeof keptEvent>>;

/** The last hundred events of a subject that are still kept, oldest first. */
export function createListEventsAbout(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (subject: string): Promise<readonly KeptEvent[]> => {
    const keys = await firstEntries(dynamo, table, indexEntry, {
      index: ABOUT_INDEX,
      condition: 'about = :subject',
      values: { ':subject': subject },
      newestFirst: true,
      most: MOST,
    });
    return batchGetFound(dynamo, clock, table, keys.toReversed(), keptEvent);
  };
}

export type ListEventsAbout = ReturnType<typeof createListEventsAbout>;
