import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { ListClientIds } from '#shared/clients/client-directory.ts';
import { txHash } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { missedFacts } from '#shared/off-ramps/model/deposit-match.ts';
import { type OffRamp, offRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import {
  firstItemsOfShards,
  firstOfShards,
  indexEntries,
  pageOfShards,
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

/** Operations that still await their deposit and expired between these times, oldest first. */
export function createListAwaiting(dynamo: DynamoDBDocumentClient, table: string, listClientIds: ListClientIds) {
  return async (since: string, upTo: string, most: number) =>
    firstOfShards(dynamo, table, indexEntry, {
      index: AWAITING_INDEX,
      keys: ['awaitingShard', 'expiresAt'],
      shards: await listClientIds(),
      since,
      upTo,
      most,
    });
}

export type ListAwaiting = ReturnType<typeof createListAwaiting>;

/** A client's operations that still await their deposit and expired before that time, oldest first. */
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

/** The most that one batch reads. */
const MOST_READ = 100;

/** Operations that are read in one search: as many as it can read before its caller gives up. */
const MOST_SEARCHED = 50_000;

/**
 * All operations of any client that await exactly this transfer but for its tag: the same token, network, amount and
 * sender, and the ids of those that await a deposit and cannot be read. No index has them by that, so each one that awaits
 * a deposit is read: only operators search so.
 *
 * @throws {Unavailable} when there are too many to find all
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
      for await (const { operationId } of indexEntries(dynamo, table, indexEntry, awaiting))
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
            one.status === 'AWAITING_DEPOSIT' && missedFacts(one, transfer).every((fact) => fact === 'WRONG_ADDRESS'),
        ),
      );
    }
    return { found, unreadableIds };
  };
}

export type FindAwaiting = ReturnType<typeof createFindAwaiting>;

const creditedEntry = z.object({ operationId: z.string(), creditedAt: z.string() });

/** An off-ramp that has its deposit. */
const creditedOperation = z.extend(offRamp, {
  creditedAt: z.string(),
  verifiedTxHash: txHash,
});

/** Off-ramps by the time of their credit, between these times, oldest first. */
export function createListCredited(
  dynamo: DynamoDBDocumentClient,
  table: string,
  listClientIds: ListClientIds,
  clock: Clock,
) {
  return async (since: string, upTo: string, most: number) =>
    pageOfShards(dynamo, clock, table, {
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

/** Operations that wait for their payout, credited between these times, oldest first. */
export function createListPending(dynamo: DynamoDBDocumentClient, table: string) {
  return (since: string, upTo: string, most: number) =>
    firstOfShards(dynamo, table, pendingEntry, {
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

/** Operations with an open contradiction, oldest first, at most 100. */
export function createListContradicted(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
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
