import { type DynamoDBClient, GetItemCommand, paginateQuery } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { type Payin, payinStatuses, rails } from '#shared/domain/payin.ts';
import { fromItem, type Item, toItem } from './client.ts';
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
        yield* ids(dynamo, table, DUE_INDEX, 'dueShard = :key AND nextLookAt <= :now', { ':key': shard, ':now': now });
      }
    },

    /** Ids of a user's pay-ins, newest first, from after the given one on. */
    idsOfUser: (userId: string, after: Payin | undefined): AsyncGenerator<string> =>
      ids(
        dynamo,
        table,
        BY_USER_INDEX,
        'userId = :key',
        { ':key': userId },
        after && { ...payinKey(after.payinId), ...toItem({ userId, createdAt: after.createdAt }) },
      ),
  };
}

export type Payins = ReturnType<typeof payinsIn>;

const indexEntry = z.object({ payinId: z.string() });

async function* ids(
  dynamo: DynamoDBClient,
  table: string,
  index: string,
  condition: string,
  values: Readonly<Record<string, string>>,
  after?: Item,
): AsyncGenerator<string> {
  const pages = paginateQuery(
    { client: dynamo, pageSize: 100 },
    {
      TableName: table,
      IndexName: index,
      KeyConditionExpression: condition,
      ExpressionAttributeValues: toItem(values),
      ScanIndexForward: index !== BY_USER_INDEX,
      ...(after && { ExclusiveStartKey: after }),
    },
  );
  for await (const { Items = [] } of pages) for (const item of Items) yield fromItem(indexEntry, item).payinId;
}
