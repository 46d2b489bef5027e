import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { payinKey } from '#shared/pay-ins/pay-in-records.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { instant } from '#shared/platform/http/fields.ts';

/** How far a rail's list has been read, once a day from its beginning to its end. */
export const listPass = z.object({
  /** When it was begun: what is created later is of the next pass. */
  startedAt: instant,
  /** The page after those that were handed over; absent at the beginning and at the end. */
  cursor: z.optional(z.string()),
  isUnderWay: z.boolean(),
  /** When the list is read on, or again. */
  nextRunAt: instant,
  /** When the last pass that came to its end was begun; the first of all, until then. */
  doneFrom: instant,
  sequence: z.number(),
});

export type ListPass = Readonly<z.infer<typeof listPass>>;

/** The pass of each rail, beside the pay-ins. */
export function createListPasses(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const keyOf = (rail: string) => ({ ...payinKey(`LIST#${rail}`), record: 'LIST_PASS' });
  return {
    async find(rail: string): Promise<ListPass | undefined> {
      const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: keyOf(rail), ConsistentRead: true }));
      return Item && listPass.parse(Item);
    },

    /** `undefined` when another call has gone on since it was read: it is that one's. */
    async save(rail: string, pass: ListPass): Promise<ListPass | undefined> {
      const { sequence: seen, cursor, ...rest } = pass;
      const next = { ...rest, sequence: seen + 1 };
      const { expression, names, values } = assignments({ ...next, cursor });
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(rail),
        UpdateExpression: expression,
        ConditionExpression: seen === 0 ? 'attribute_not_exists(payinId)' : '#sequence = :seen',
        ExpressionAttributeNames: { ...names, ...(seen > 0 && { '#sequence': 'sequence' }) },
        ExpressionAttributeValues: { ...values, ...(seen > 0 && { ':seen': seen }) },
      });
      const saved = await unlessConditionFails(updateItem(dynamo, clock, update));
      return saved && { ...next, ...(cursor !== undefined && { cursor }) };
    },
  };
}

export type ListPasses = ReturnType<typeof createListPasses>;
