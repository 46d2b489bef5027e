import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';
import { storedEvent, withId } from './service-event.ts';

/** The most events that are listed: the newest of one subject. */
const MOST = 100;

/**
 * The most events that are read: an off-ramp has at most 150 listed deposits and a hundred attempts, usually far fewer.
 */
const MOST_READ = 2000;

/** An event, and whether it is still unpublished. */
export const subjectEvent = z.pipe(
  z.extend(storedEvent, { unpublishedIn: z.optional(z.string()) }),
  z.transform(withId),
);

export type SubjectEvent = Readonly<z.infer<typeof subjectEvent>>;

/**
 * The last hundred stored events of a subject, oldest first. Keys sort by type and not by time, so all events are read;
 * beyond the limit, only events of deposits are left out.
 */
export function createListEventsAbout(dynamo: DynamoDBDocumentClient, table: string) {
  return async (subject: string): Promise<readonly SubjectEvent[]> => {
    const pages = paginateQuery(
      { client: dynamo },
      {
        TableName: table,
        KeyConditionExpression: 'subject = :subject',
        ExpressionAttributeValues: { ':subject': subject },
        ScanIndexForward: false,
        Limit: MOST_READ,
        ConsistentRead: true,
      },
    );
    const items: Item[] = [];
    for await (const { Items = [] } of pages) if (items.push(...Items) >= MOST_READ) break;
    const events = items
      .flatMap((item) => parseReadable(`${subject} ${item['change']}`, () => subjectEvent.parse(item)) ?? [])
      .toReversed();
    return events.toSorted((one, other) => Date.parse(one.occurredAt) - Date.parse(other.occurredAt)).slice(-MOST);
  };
}

export type ListEventsAbout = ReturnType<typeof createListEventsAbout>;
