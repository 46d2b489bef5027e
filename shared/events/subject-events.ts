import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { storedEvent, withId } from './service-event.ts';

/** Of one subject, the newest. */
const MOST = 100;

/** All of any subject: of an off-ramp 150 deposits are filed and a hundred attempts made. Far fewer than that are usual. */
const MOST_READ = 2000;

/** An event, and whether the bus has not accepted it yet. */
const keptEvent = z.pipe(z.extend(storedEvent, { unpublishedIn: z.optional(z.string()) }), z.transform(withId));

export type KeptEvent = Readonly<z.infer<typeof keptEvent>>;

/**
 * The last hundred events of a subject that are still kept, oldest first. Their keys are in the order of their types, so
 * that all of them are read; what is not read of too many are events of deposits.
 */
export function createListEventsAbout(dynamo: DynamoDBDocumentClient, table: string) {
  return async (subject: string): Promise<readonly KeptEvent[]> => {
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
    const events = items.map((item) => keptEvent.parse(item)).toReversed();
    return events.toSorted((one, other) => Date.parse(one.occurredAt) - Date.parse(other.occurredAt)).slice(-MOST);
  };
}

export type ListEventsAbout = ReturnType<typeof createListEventsAbout>;
