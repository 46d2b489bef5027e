import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Item } from './client.ts';

interface IndexQuery {
  readonly index: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
  readonly newestFirst?: boolean;
  /** Key of the entry that the first one comes after. */
  readonly after?: Item | undefined;
  /** For whoever stops early: entries read at a time. */
  readonly pageSize?: number;
}

/**
 * What an index of keys finds, in its order, a page at a time as it is asked for. The index may lag behind: what it finds
 * is read again by its key before anything is decided on it.
 */
export async function* indexEntries<Schema extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  entry: Schema,
  { index, condition, values, newestFirst = false, after, pageSize }: IndexQuery,
): AsyncGenerator<z.infer<Schema>> {
  const pages = paginateQuery(
    { client: dynamo, ...(pageSize !== undefined && { pageSize }) },
    {
      TableName: table,
      IndexName: index,
      KeyConditionExpression: condition,
      ExpressionAttributeValues: values,
      ScanIndexForward: !newestFirst,
      ...(after !== undefined && { ExclusiveStartKey: after }),
    },
  );
  for await (const { Items = [] } of pages) for (const item of Items) yield entry.parse(item);
}
