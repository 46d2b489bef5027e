import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetReadable } from '#shared/platform/dynamodb/batch-get.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import {
  readFirstEntriesOfShards,
  readFirstItemsOfShards,
  readPageOfShards,
} from '#shared/platform/dynamodb/index-entries.ts';
import { log } from '#shared/platform/logger.ts';
import { reportUnreadable } from '#shared/platform/unreadable.ts';
import { type Payin, payin } from './pay-in.ts';
import { completedPayinShards, MISMATCHED, payinKey } from './pay-in-records.ts';
import { type FindPayment, PaymentUnreadable } from './rails/payment-rail.ts';

/** A sparse index of the pay-ins that were paid, by the time of their completion. */
const COMPLETED_INDEX = 'completed';

const completedEntry = z.object({ payinId: z.string(), completedAt: z.string() });

const paidPayin = z.extend(payin, { completedAt: z.string() });

/** Lists the pay-ins that were completed between these times, oldest first. */
export function createListCompleted(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, upTo: string, most: number) =>
    readPageOfShards(dynamo, clock, table, {
      entry: completedEntry,
      item: paidPayin,
      index: COMPLETED_INDEX,
      keys: ['completedShard', 'completedAt'],
      shards: completedPayinShards,
      since,
      upTo,
      most,
      keyOf: ({ payinId }) => payinKey(payinId),
    });
}

export type ListCompleted = ReturnType<typeof createListCompleted>;

/** Reads any number of pay-ins by id, as they are now. An unreadable one raises an alarm, and is not a missing one. */
export function createFindPayins(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, Payin | 'UNREADABLE'>> => {
    const keys = [...new Set(ids)].map(payinKey);
    const { items, unreadable } = await batchGetReadable(dynamo, clock, table, keys, payin);
    const left = reportUnreadable(unreadable.map(({ payinId }) => ({ payinId })));
    const found = new Map<string, Payin | 'UNREADABLE'>(items.map((one) => [one.payinId, one]));
    for (const id of left) found.set(id, 'UNREADABLE');
    return found;
  };
}

export type FindPayins = ReturnType<typeof createFindPayins>;

const mismatchedEntry = z.object({ payinId: z.string(), mismatchedAt: z.string() });

/** Lists the pay-ins with another amount than the ordered one, oldest first. */
export function createListMismatched(dynamo: DynamoDBDocumentClient, table: string) {
  return async (since: string, upTo: string, most: number) =>
    readFirstEntriesOfShards(dynamo, table, mismatchedEntry, {
      index: 'mismatched',
      keys: ['mismatched', 'mismatchedAt'],
      shards: [MISMATCHED],
      since,
      upTo,
      most,
    });
}

export type ListMismatched = ReturnType<typeof createListMismatched>;

/** The only partition of the index of pay-ins about which the rail's answers cannot be read. */
const UNREADABLE = 'UNREADABLE';

/** Milliseconds until the next poll of a pay-in that had none planned. */
const PAUSE = 5 * 60_000;

/** Records since when the rail's answers about a pay-in are unreadable; a readable answer clears that. */
export function createUnreadablePayins(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    /** Marks the pay-in, which stays polled. Returns false if it is already marked. */
    async mark(payinId: string): Promise<boolean> {
      const now = clock.now();
      const nextPollAt = new Date(now.getTime() + PAUSE).toISOString();
      const unreadable = { unreadable: UNREADABLE };
      const { expression, names, values } = assignments(unreadable, { unreadableSince: now.toISOString(), nextPollAt });
      const update = new UpdateCommand({
        TableName: table,
        Key: payinKey(payinId),
        UpdateExpression: expression,
        ConditionExpression: 'attribute_exists(payinId)',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
        ReturnValues: 'ALL_OLD',
      });
      const marked = await unlessConditionFails(updateItem(dynamo, clock, update));
      return marked?.Attributes?.['unreadableSince'] === undefined;
    },

    async clear(payinId: string): Promise<void> {
      await updateItem(
        dynamo,
        clock,
        new UpdateCommand({
          TableName: table,
          Key: payinKey(payinId),
          UpdateExpression: 'REMOVE unreadable, unreadableSince',
          ConditionExpression: 'attribute_exists(payinId)',
        }),
      );
    },
  };
}

export type UnreadablePayins = ReturnType<typeof createUnreadablePayins>;

/** Milliseconds. A fault of the rail may pass within this time, before a person has to ask the rail. */
const LISTED_AFTER = 3600_000;

const unreadableEntry = z.object({ payinId: z.string(), unreadableSince: z.string() });

/** Lists pay-ins about which the rail's answers have been unreadable for an hour, oldest first, at most 100. */
export function createListUnreadablePayins(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    readFirstItemsOfShards(dynamo, clock, table, {
      index: 'unreadable',
      keys: ['unreadable', 'unreadableSince'],
      shards: [UNREADABLE],
      since,
      upTo: new Date(clock.now().getTime() - LISTED_AFTER).toISOString(),
      most,
      entry: unreadableEntry,
      keyOf: ({ payinId }) => payinKey(payinId),
      item: payin,
    });
}

export type ListUnreadablePayins = ReturnType<typeof createListUnreadablePayins>;

/** Wraps the look-up: an unreadable answer marks the pay-in, and raises an alarm the first time. */
export function markingUnreadable(find: FindPayment, unreadable: Pick<UnreadablePayins, 'mark'>): FindPayment {
  return async (payin) => {
    try {
      return await find(payin);
    } catch (error) {
      if (!(error instanceof PaymentUnreadable)) throw error;
      const { payinId } = payin;
      const isNew = await unreadable.mark(payinId);
      if (isNew) log.error('PAYMENT_UNREADABLE', { payinId, cause: error.message });
      throw error;
    }
  };
}
