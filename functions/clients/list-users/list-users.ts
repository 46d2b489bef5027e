import { describeUser, type listUsersContract } from '#shared/clients/user-contract.ts';
import type { FindUser, ListUsersOf } from '#shared/clients/user-repository.ts';
import { recordAtCursor } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly findUser: FindUser;
  readonly listUsersOf: ListUsersOf;
}

export function listUsers({ findUser, listUsersOf }: Dependencies): UseCase<typeof listUsersContract> {
  return async ({ clientId, query }) => {
    const { limit, cursor } = query();
    const findAll = (ids: readonly string[]) => Promise.all(ids.map((userId) => findUser(clientId, userId)));
    const after = await recordAtCursor(cursor, findAll, () => true);
    const { users, nextAfter } = await listUsersOf(clientId, after?.userId, Number(limit));
    return { body: { users: users.map(describeUser), ...(nextAfter !== undefined && { nextCursor: nextAfter }) } };
  };
}
