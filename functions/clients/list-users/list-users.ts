import { describeUser, type listUsersContract } from '#shared/clients/user-contract.ts';
import type { HasUser, ListUsersOf } from '#shared/clients/user-repository.ts';
import { findCursorRecord } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly hasUser: HasUser;
  readonly listUsersOf: ListUsersOf;
}

export function listUsers({ hasUser, listUsersOf }: Dependencies): UseCase<typeof listUsersContract> {
  return async ({ clientId, query }) => {
    const { limit, cursor } = query();
    const known = (ids: readonly string[]) =>
      Promise.all(ids.map(async (userId) => ((await hasUser(clientId, userId)) ? userId : undefined)));
    const after = await findCursorRecord(cursor, known, () => true);
    const { users, nextAfter } = await listUsersOf(clientId, after, Number(limit));
    return { body: { users: users.map(describeUser), ...(nextAfter !== undefined && { nextCursor: nextAfter }) } };
  };
}
