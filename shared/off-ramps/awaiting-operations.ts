import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ListClientIds } from '#shared/clients/client-directory.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { firstOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { AWAITING_INDEX } from './off-ramp-store.ts';

const indexEntry = z.object({ operationId: z.string(), expiresAt: z.string() });

export type AwaitingEntry = z.infer<typeof indexEntry>;

/** Operations that still await their deposit, and whose time was over between these times, the longest over first. */
export function createListAwaiting(dynamo: DynamoDBDocumentClient, table: string, listClientIds: ListClientIds) {
  return async (since: string, upTo: string, most: number) =>
    firstOfShards(dynamo, table, indexEntry, {
      index: AWAITING_INDEX,
      keys: ['awaitingShard', 'expiresAt'],
      shards: await listClientIds(),
      since,
      upTo,
      most,
      atOf: ({ expiresAt }) => expiresAt,
    });
}

export type ListAwaiting = ReturnType<typeof createListAwaiting>;

/** A client's operations that still await their deposit and whose time was over before then, the longest over first. */
export function createListExpired(dynamo: DynamoDBDocumentClient, table: string) {
  return async function* (clientId: string, before: string): AsyncGenerator<AwaitingEntry> {
    yield* indexEntries(dynamo, table, indexEntry, {
      index: AWAITING_INDEX,
      condition: 'awaitingShard = :shard AND expiresAt <= :before',
      values: { ':shard': clientId, ':before': before },
    });
  };
}

export type ListExpired = ReturnType<typeof createListExpired>;
