import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { readFirstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { reportUnreadable } from '#shared/platform/unreadable.ts';
import type { referencedRecord } from './referenced-record.ts';

/** Index by the references that clients gave. */
const INDEX = 'anyReference';

/** The most entries; more would tell nobody more. */
const MOST = 20;

interface Referenced<Kept extends z.ZodMiniType> {
  readonly dynamo: DynamoDBDocumentClient;
  readonly table: string;
  readonly clock: Clock;
  readonly entry: z.ZodMiniType<Item>;
  readonly kept: Kept;
}

/** All entries with this reference, of any client, newest first. */
export function createListByReference<Kept extends z.ZodMiniType<z.infer<typeof referencedRecord>>>({
  dynamo,
  table,
  clock,
  entry,
  kept,
}: Referenced<Kept>) {
  return async (reference: string): Promise<z.infer<Kept>[]> => {
    const keys = await readFirstEntries(dynamo, table, entry, {
      index: INDEX,
      condition: 'externalReference = :reference',
      values: { ':reference': reference },
      newestFirst: true,
      most: MOST,
    });
    const { items, unreadable } = await batchGetReadable(dynamo, clock, table, keys, kept);
    reportUnreadable(unreadable);
    return items.toSorted((one, other) => other.createdAt.localeCompare(one.createdAt));
  };
}
