import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { queryUserIndex, type UserFilter } from '#shared/clients/user-index.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { shardOf, shards } from '#shared/platform/dynamodb/shards.ts';
import { type Payin, payinSchema } from './pay-in.ts';

/** Sparse: pay-ins of which the rail may still have something to say. */
const DUE_INDEX = 'due';

const DUE = 'PAYIN';

/** Partitions of the index of pay-ins that are due. */
export const duePayinShards = shards(DUE);

/** Where a pay-in stands in that index; nowhere when the rail is not asked again. */
export function duePayin(payinId: string, nextPollAt: string | undefined) {
  return { dueShard: nextPollAt === undefined ? undefined : shardOf(DUE, payinId), nextPollAt };
}

export function parsePayin(item: Item): Payin {
  return payinSchema.parse(item);
}

export const payinKey = (payinId: string): Item => ({ payinId, record: 'PAYIN' });

/** Reads of the pay-ins table; what an index finds is read again by its id before anything is decided on it. */
export function createPayinStore(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async find(payinId: string): Promise<Payin | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: payinKey(payinId), ConsistentRead: true }),
      );
      return Item && parsePayin(Item);
    },

    /** Ids of the shard's pay-ins of which the rail is to be asked, the longest due first. */
    async *due(shard: string, now: string): AsyncGenerator<string> {
      const entries = indexEntries(dynamo, table, indexEntry, {
        index: DUE_INDEX,
        condition: 'dueShard = :shard AND nextPollAt <= :now',
        values: { ':shard': shard, ':now': now },
      });
      for await (const { payinId } of entries) yield payinId;
    },
  };
}

export type Payins = ReturnType<typeof createPayinStore>;

/** A user's pay-ins, for lists of them. */
export function createUserPayins(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    /** Newest first, from after the given one on. */
    async *listIds(of: UserFilter, after: Payin | undefined): AsyncGenerator<string> {
      const place = after && { key: payinKey(after.payinId), createdAt: after.createdAt };
      for await (const { payinId } of queryUserIndex(dynamo, table, indexEntry, of, place)) yield payinId;
    },

    /** At most 100, in the order of their ids. */
    async getAll(ids: readonly string[]): Promise<readonly (Payin | undefined)[]> {
      const items = await batchGet(dynamo, clock, table, ids.map(payinKey));
      return items.map((item) => item && parsePayin(item));
    },
  };
}

export type UserPayins = ReturnType<typeof createUserPayins>;

const indexEntry = z.object({ payinId: z.string() });
