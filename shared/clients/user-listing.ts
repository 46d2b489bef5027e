import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetFound } from '#shared/platform/dynamodb/batch-get.ts';
import { firstEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { user } from './user.ts';

const indexEntry = z.object({ userId: z.string() });

/** A client's users by their ids, and after which the next page goes on; at most 99. */
export function createListUsersOf(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (clientId: string, after: string | undefined, most: number) => {
    const found = await firstEntries(dynamo, table, indexEntry, {
      index: 'byClient',
      condition: 'clientId = :client',
      values: { ':client': clientId },
      after: after === undefined ? undefined : { clientId, userId: after },
      most: most + 1,
    });
    const keys = found.slice(0, most).map(({ userId }) => ({ userId }));
    const users = await batchGetFound(dynamo, clock, table, keys, user);
    return { users, nextAfter: found.length > most ? found[most - 1]?.userId : undefined };
  };
}
