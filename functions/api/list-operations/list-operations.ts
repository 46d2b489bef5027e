import type { listOperations as contract } from '#shared/contracts/list-operations.ts';
import { describeOperation } from '#shared/contracts/operation-answer.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { UserOperations } from '#shared/dynamodb/operations.ts';
import type { FindUser } from '#shared/dynamodb/users.ts';
import { pageOf, recordAtCursor } from '#shared/http/page.ts';
import type { UseCase } from '#shared/http/use-case.ts';

interface Dependencies {
  readonly findUser: FindUser;
  readonly operations: UserOperations;
}

export function listOperations({ findUser, operations }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, query }) => {
    const userId = path.user_id;
    if ((await findUser(clientId, userId)) === undefined) throw new Refusal('USER_NOT_FOUND');
    const { status, externalReference, limit, cursor } = query();
    const after = await recordAtCursor(cursor, operations.getAll, (operation) => operation.userId === userId);
    const { items, examined } = await pageOf<OffRamp>({
      limit: Number(limit),
      ids: operations.listIds({ userId, externalReference }, after),
      getAll: operations.getAll,
      fits: status && ((operation) => operation.status === status),
    });
    return {
      body: { operations: items.map(describeOperation), ...(examined && { nextCursor: examined.operationId }) },
    };
  };
}
