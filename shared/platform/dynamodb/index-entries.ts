import { type DynamoDBDocumentClient, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Item } from './client.ts';

interface IndexQuery {
  readonly index: string;
  readonly condition: string;
  readonly values: Readonly<Record<string, string>>;
  /** Of attributes that DynamoDB takes for words of its own. */
  readonly names?: Readonly<Record<string, string>>;
  readonly newestFirst?: boolean;
  /** Key of the entry that the first one comes after. */
  readonly after?: Item | undefined;
  /** Entries read at a time, for a caller that stops early. */
  readonly pageSize?: number;
}

/**
 * The entries of an index of keys, in its order, read page by page on demand. The index may lag behind: read an item
 * again by its key before you decide on it.
 */
export async function* indexEntries<Schema extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  entry: Schema,
  { index, condition, values, names, newestFirst = false, after, pageSize }: IndexQuery,
): AsyncGenerator<z.infer<Schema>> {
  const pages = paginateQuery(
    { client: dynamo, ...(pageSize !== undefined && { pageSize }) },
    {
      TableName: table,
      IndexName: index,
      KeyConditionExpression: condition,
      ExpressionAttributeValues: values,
      ...(names !== undefined && { ExpressionAttributeNames: { ...names } }),
      ScanIndexForward: !newestFirst,
      ...(after !== undefined && { ExclusiveStartKey: after }),
    },
  );
  for await (const { Items = [] } of pages) for (const item of Items) yield entry.parse(item);
}

/** The first entries of an index of keys, in its order: no more are read. */
export async function firstEntries<Schema extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  entry: Schema,
  { most, ...query }: Omit<IndexQuery, 'pageSize'> & { readonly most: number },
): Promise<readonly z.infer<Schema>[]> {
  const found: z.infer<Schema>[] = [];
  for await (const one of indexEntries(dynamo, table, entry, { ...query, pageSize: most })) {
    if (found.push(one) === most) break;
  }
  return found;
}
