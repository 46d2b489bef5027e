import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { payin } from './pay-in.ts';
import { payinKey } from './pay-in-store.ts';

/** When the rail is asked next; absent when it is not asked again. */
const polledPayin = z.extend(payin, { nextPollAt: z.optional(z.string()) });

export type PolledPayin = Readonly<z.infer<typeof polledPayin>>;

/** A pay-in with its next poll, for operators. */
export function createFindPolledPayin(dynamo: DynamoDBDocumentClient, table: string) {
  return async (payinId: string): Promise<PolledPayin | undefined> => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: payinKey(payinId), ConsistentRead: true }),
    );
    return Item && polledPayin.parse(Item);
  };
}

export type FindPolledPayin = ReturnType<typeof createFindPolledPayin>;
