import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';

/** Whose records are listed: all of a user, or those to which its client gave one reference. */
export interface UserFilter {
  readonly userId: string;
  readonly externalReference?: string | undefined;
}

/** What finds a record by its user and its reference together; without a reference it is in no such index. */
export function userReference({ userId, externalReference }: UserFilter): string | undefined {
  return externalReference === undefined ? undefined : `${userId}#${externalReference}`;
}

/**
 * Entries of a user's records, newest first. They continue after a place in that order; a record has a place whether it
 * is listed or not.
 */
export function queryUserIndex<Schema extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  entry: Schema,
  of: UserFilter,
  after: { readonly key: Item; readonly createdAt: string } | undefined,
): AsyncGenerator<z.infer<Schema>> {
  const reference = userReference(of);
  const [index, attribute, value] =
    reference === undefined
      ? (['byUser', 'userId', of.userId] as const)
      : (['byReference', 'userReference', reference] as const);
  return indexEntries(dynamo, table, entry, {
    index,
    condition: `${attribute} = :of`,
    values: { ':of': value },
    newestFirst: true,
    after: after && { ...after.key, ...{ [attribute]: value, createdAt: after.createdAt } },
    pageSize: 100,
  });
}
