import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Deposit, deposit } from '#shared/off-ramps/model/deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import { queryIndex, readPageOfShards } from '#shared/platform/dynamodb/index-entries.ts';
import { addDays } from '#shared/platform/time-zone.ts';
import { reportUnreadable } from '#shared/platform/unreadable.ts';

/* Lists of the deposits of a day, for the books. */

const createdEntry = z.object({ custodianTransferId: z.string(), createdAt: z.string() });

/** The UTC days from one time up to another: each day is a partition of the index `byDay`. */
function utcDays(since: string, upTo: string): readonly string[] {
  const days: string[] = [];
  for (let day = since.slice(0, 10); day <= upTo.slice(0, 10); day = addDays(day, 1)) days.push(day);
  return days;
}

/** Lists the ids of deposits that their custodian first had from `from` up to but not at `to`, oldest first. */
export function createListCreated(dynamo: DynamoDBDocumentClient, table: string) {
  return async (from: string, to: string): Promise<readonly string[]> => {
    const ids: string[] = [];
    for (const day of utcDays(from, to)) {
      const entries = queryIndex(dynamo, table, createdEntry, {
        index: 'byDay',
        condition: 'createdOn = :day AND createdAt BETWEEN :from AND :to',
        values: { ':day': day, ':from': from, ':to': to },
      });
      for await (const { custodianTransferId, createdAt } of entries) if (createdAt < to) ids.push(custodianTransferId);
    }
    return ids;
  };
}

export type ListCreated = ReturnType<typeof createListCreated>;

/** Reads one page of these deposits. All deposits of one millisecond are on the same page, which may exceed `most`. */
export function createReadCreatedPage(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, upTo: string, most: number) =>
    readPageOfShards(dynamo, clock, table, {
      entry: createdEntry,
      item: deposit,
      index: 'byDay',
      keys: ['createdOn', 'createdAt'],
      shards: utcDays(since, upTo),
      ...{ since, upTo, most },
      keyOf: ({ custodianTransferId }) => ({ custodianTransferId }),
    });
}

export type ReadCreatedPage = ReturnType<typeof createReadCreatedPage>;

/** The most deposits that are read at the same time. */
const READ_AT_ONCE = 1000;

/** Reads any number of deposits by id. An unreadable one raises an alarm, and is not a missing one. */
export function createFindDeposits(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, Deposit | 'UNREADABLE'>> => {
    const found = new Map<string, Deposit | 'UNREADABLE'>();
    for await (const group of inGroups(new Set(ids), READ_AT_ONCE)) {
      const keys = group.map((custodianTransferId) => ({ custodianTransferId }));
      const { items, unreadable } = await batchGetReadable(dynamo, clock, table, keys, deposit);
      for (const one of items) found.set(one.custodianTransferId, one);
      for (const id of reportUnreadable(unreadable)) found.set(id, 'UNREADABLE');
    }
    return found;
  };
}

export type FindDeposits = ReturnType<typeof createFindDeposits>;
