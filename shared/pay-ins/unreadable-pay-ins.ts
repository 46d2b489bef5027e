import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { firstItemsOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import { log } from '#shared/platform/logger.ts';
import { payin } from './pay-in.ts';
import { payinKey } from './pay-in-records.ts';
import { type FindPayment, PaymentUnreadable } from './rails/payment-rail.ts';

/** The one partition of the index of pay-ins of which the rail's answers cannot be read. */
const UNREADABLE = 'UNREADABLE';

/** Milliseconds after which one is asked for again that nobody asked for any more. */
const PAUSE = 5 * 60_000;

/** Keeps since when the rail's answers about a pay-in cannot be read, until one can. */
export function createUnreadablePayins(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    /** It is asked on. False when it is known already that they cannot be read. */
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

/** Milliseconds. A fault of the rail may pass before somebody has to ask it. */
const LISTED_AFTER = 3600_000;

const indexEntry = z.object({ payinId: z.string(), unreadableSince: z.string() });

/** Pay-ins of which the rail's answers have not been readable for an hour, the longest first, at most 100. */
export function createListUnreadablePayins(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: 'unreadable',
      keys: ['unreadable', 'unreadableSince'],
      shards: [UNREADABLE],
      since,
      upTo: new Date(clock.now().getTime() - LISTED_AFTER).toISOString(),
      most,
      entry: indexEntry,
      keyOf: ({ payinId }) => payinKey(payinId),
      item: payin,
    });
}

export type ListUnreadablePayins = ReturnType<typeof createListUnreadablePayins>;

/** The same question, which remembers an answer that cannot be read: an alarm the first time. */
export function rememberUnreadable(find: FindPayment, unreadable: Pick<UnreadablePayins, 'mark'>): FindPayment {
  return async (payinId) => {
    try {
      return await find(payinId);
    } catch (error) {
      if (!(error instanceof PaymentUnreadable)) throw error;
      const isNew = await unreadable.mark(payinId);
      if (isNew) log.error('PAYMENT_UNREADABLE', { payinId, cause: error.message });
      throw error;
    }
  };
}
