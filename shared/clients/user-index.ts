import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';

/** Selects records: all of a user, or those with one reference of its client. */
export interface UserFilter {
  readonly userId: string;
  readonly externalReference?: string | undefined;
}

/** The index key of user and reference; absent without a reference. */
export function userReference({ userId, externalReference }: UserFilter): string | undefined {
  return externalReference === undefined ? undefined : `${userId}#${externalReference}`;
}

/**
 * Entries of a user's records, newest first, after a given place. Every record has a place in this order, listed or
 * not.
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
