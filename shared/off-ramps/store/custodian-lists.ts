import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { LIST_PREFIX } from './deposit-polls.ts';

/** How far the list of a custodian's transfers has been read. */
export const custodianList = z.object({
  /** The times of creation that the current or last list covers. */
  createdSince: instant,
  until: instant,
  /** The start of the next page; absent before the first page. */
  cursor: z.optional(z.string()),
  /** True once the list is read to its end. The next list begins an hour after `until`. */
  isRead: z.boolean(),
  /** Grows with every write. */
  version: z.int(),
});

export type CustodianList = Readonly<z.infer<typeof custodianList>>;

export function createCustodianLists(dynamo: DynamoDBDocumentClient, table: string) {
  const keyOf = (custodian: string) => ({ custodianTransferId: `${LIST_PREFIX}${custodian}` });
  return {
    async find(custodian: string): Promise<CustodianList | undefined> {
      const get = new GetCommand({ TableName: table, Key: keyOf(custodian), ConsistentRead: true });
      const { Item } = await dynamo.send(get);
      return Item && custodianList.parse(Item);
    },

    /** Stores the progress. False, and nothing is written, when another run has moved it since this version. */
    async move(custodian: string, { version, ...list }: CustodianList): Promise<boolean> {
      const put = new PutCommand({
        TableName: table,
        Item: { ...keyOf(custodian), ...list, version: version + 1 },
        ConditionExpression: 'attribute_not_exists(custodianTransferId) OR version = :seen',
        ExpressionAttributeValues: { ':seen': version },
      });
      return (await unlessConditionFails(dynamo.send(put))) !== undefined;
    },
  };
}

export type CustodianLists = ReturnType<typeof createCustodianLists>;
