import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ListClientIds } from '#shared/clients/client-directory.ts';
import { txHash } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { mismatchedFacts } from '#shared/off-ramps/model/deposit-match.ts';
import { type OffRamp, offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import {
  queryIndex,
  readFirstEntriesOfShards,
  readFirstItemsOfShards,
  readPageOfShards,
  shards,
} from '#shared/platform/dynamodb/index-entries.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { reportUnreadable } from '#shared/platform/unreadable.ts';
import {
  AWAITING_INDEX,
  CONTRADICTED,
  CONTRADICTED_INDEX,
  CREDITED_INDEX,
  operationKey,
  PENDING_INDEX,
  pendingShards,
} from './off-ramp-repository.ts';

const indexEntry = z.object({ operationId: z.string(), expiresAt: z.string() });

export type AwaitingEntry = z.infer<typeof indexEntry>;

/** Lists operations that still await their deposit and expired between these times, oldest first. */
export function createListAwaiting(dynamo: DynamoDBDocumentClient, table: string, listClientIds: ListClientIds) {
  return async (since: string, upTo: string, most: number) =>
    readFirstEntriesOfShards(dynamo, table, indexEntry, {
      index: AWAITING_INDEX,
      keys: ['awaitingShard', 'expiresAt'],
      shards: await listClientIds(),
      since,
      upTo,
      most,
    });
}

export type ListAwaiting = ReturnType<typeof createListAwaiting>;

/** Lists a client's operations that still await their deposit and expired before that time, oldest first. */
export function createListExpired(dynamo: DynamoDBDocumentClient, table: string) {
  return async function* (clientId: string, before: string): AsyncGenerator<AwaitingEntry> {
    yield* queryIndex(dynamo, table, indexEntry, {
      index: AWAITING_INDEX,
      condition: 'awaitingShard = :shard AND expiresAt <= :before',
      values: { ':shard': clientId, ':before': before },
    });
  };
}

export type ListExpired = ReturnType<typeof createListExpired>;

/** The most operations that one batch reads. */
const MOST_READ = 100;

/** The most operations that one search reads: more would take longer than its caller waits. */
const MOST_SEARCHED = 50_000;

/**
 * Finds all operations of any client that await this transfer, whatever its address and tag: the same token, network,
 * amount and sender. Also returns the ids of operations that await a deposit and cannot be read. No index has these
 * facts, so this reads every operation that awaits a deposit: only operators use it.
 *
 * @throws {Unavailable} when too many operations await a deposit to read them all
 */
export function createFindAwaiting(
  dynamo: DynamoDBDocumentClient,
  table: string,
  listClientIds: ListClientIds,
  clock: Clock,
) {
  async function* keysOfAll() {
    for (const clientId of await listClientIds()) {
      const awaiting = { index: AWAITING_INDEX, condition: 'awaitingShard = :shard', values: { ':shard': clientId } };
      for await (const { operationId } of queryIndex(dynamo, table, indexEntry, awaiting))
        yield operationKey(operationId);
    }
  }
  return async (transfer: CustodianTransfer) => {
    const found: OffRamp[] = [];
    const unreadableIds: string[] = [];
    let searched = 0;
    for await (const keys of inGroups(keysOfAll(), MOST_READ)) {
      searched += keys.length;
      if (searched > MOST_SEARCHED) throw new Unavailable('Too many off-ramps await a deposit to search them all.');
      const { items, unreadable } = await batchGetReadable(dynamo, clock, table, keys, offRamp);
      unreadableIds.push(...reportUnreadable(unreadable));
      found.push(
        ...items.filter(
          (one) =>
            one.status === 'AWAITING_DEPOSIT' &&
            mismatchedFacts(one, transfer).every((fact) => fact === 'WRONG_ADDRESS'),
        ),
      );
    }
    return { found, unreadableIds };
  };
}

export type FindAwaiting = ReturnType<typeof createFindAwaiting>;

const creditedEntry = z.object({ operationId: z.string(), creditedAt: z.string() });

/** An off-ramp with a credited deposit. */
const creditedOperation = z.extend(offRamp, {
  creditedAt: z.string(),
  verifiedTxHash: txHash,
});

/** Lists off-ramps that were credited between these times, oldest first. */
export function createListCredited(
  dynamo: DynamoDBDocumentClient,
  table: string,
  listClientIds: ListClientIds,
  clock: Clock,
) {
  return async (since: string, upTo: string, most: number) =>
    readPageOfShards(dynamo, clock, table, {
      entry: creditedEntry,
      item: creditedOperation,
      index: CREDITED_INDEX,
      keys: ['clientId', 'creditedAt'],
      shards: await listClientIds(),
      since,
      upTo,
      most,
      keyOf: ({ operationId }) => operationKey(operationId),
    });
}

export type ListCredited = ReturnType<typeof createListCredited>;

const pendingEntry = z.object({ operationId: z.string(), creditedAt: z.string() });

/** Lists operations that wait for their payout and were credited between these times, oldest first. */
export function createListPending(dynamo: DynamoDBDocumentClient, table: string) {
  return (since: string, upTo: string, most: number) =>
    readFirstEntriesOfShards(dynamo, table, pendingEntry, {
      index: PENDING_INDEX,
      keys: ['pendingShard', 'creditedAt'],
      shards: pendingShards,
      since,
      upTo,
      most,
    });
}

export type ListPending = ReturnType<typeof createListPending>;

const contradictedEntry = z.object({ operationId: z.string(), contradictedSince: z.string() });

/** Lists operations with an open contradiction, oldest first, at most 100. */
export function createListContradicted(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    readFirstItemsOfShards(dynamo, clock, table, {
      index: CONTRADICTED_INDEX,
      keys: ['contradictedShard', 'contradictedSince'],
      shards: shards(CONTRADICTED),
      since,
      most,
      entry: contradictedEntry,
      keyOf: ({ operationId }) => operationKey(operationId),
      item: offRamp,
    });
}

export type ListContradicted = ReturnType<typeof createListContradicted>;
