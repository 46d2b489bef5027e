import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { type Payin, payinStatuses, rails } from '#shared/domain/payin.ts';
import { fromItem, type Item, toItem } from './client.ts';
import { indexEntries } from './index-entries.ts';
import { shards } from './shards.ts';

const BY_USER_INDEX = 'byUser';

/** Sparse: pay-ins whose end is still to be learned from the rail. */
const DUE_INDEX = 'due';

const status = z.enum(payinStatuses);

const payinItem = z.object({
  payinId: z.string(),
  clientId: z.string(),
  userId: z.string(),
  status,
  sequence: z.int(),
  currency: z.literal('COP'),
  amount: z.string(),
  paymentMethod: z.enum(rails),
  bank: z.optional(z.string()),
  phone: z.optional(z.string()),
  redirectUrl: z.optional(z.string()),
  externalReference: z.optional(z.string()),
  expirationDate: z.optional(z.string()),
  pseLink: z.optional(z.string()),
  createdAt: z.string(),
  statusHistory: z.array(z.object({ status, at: z.string() })),
});

export const payinKey = (payinId: string): Item => toItem({ payinId, record: 'PAYIN' });

/** Reads of the pay-ins table; what an index finds is read again by its id before anything is decided on it. */
export function payinsIn(dynamo: DynamoDBClient, table: string) {
  return {
    async find(payinId: string): Promise<Payin | undefined> {
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: table, Key: payinKey(payinId), ConsistentRead: true }),
      );
      return Item && fromItem(payinItem, Item);
    },

    /** Ids of pay-ins whose look is due, in all shards. */
    async *due(now: string): AsyncGenerator<string> {
      for (const shard of shards('PAYIN')) {
        const entries = indexEntries(dynamo, table, indexEntry, {
          index: DUE_INDEX,
          condition: 'dueShard = :shard AND nextLookAt <= :now',
          values: { ':shard': shard, ':now': now },
        });
        for await (const { payinId } of entries) yield payinId;
      }
    },

    /** Ids of a user's pay-ins, newest first, from after the given one on. */
    async *idsOfUser(userId: string, after: Payin | undefined): AsyncGenerator<string> {
      const entries = indexEntries(dynamo, table, indexEntry, {
        index: BY_USER_INDEX,
        condition: 'userId = :user',
        values: { ':user': userId },
        newestFirst: true,
        after: after && { ...payinKey(after.payinId), ...toItem({ userId, createdAt: after.createdAt }) },
        pageSize: 100,
      });
      for await (const { payinId } of entries) yield payinId;
    },
  };
}

export type Payins = ReturnType<typeof payinsIn>;

const indexEntry = z.object({ payinId: z.string() });
