import { createFindUser, type FindUser } from '#shared/clients/user-repository.ts';
import { CLIENT } from './ids.ts';
import { tablesInMemory } from './tables-in-memory.ts';

/** Finds these users, which are the client's, and no others. */
export function usersInMemory(...userIds: readonly string[]): FindUser {
  const { dynamo, table } = tablesInMemory();
  for (const userId of userIds) table('users').put({ userId, clientId: CLIENT });
  return createFindUser(dynamo, 'users');
}
