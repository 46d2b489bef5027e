import type { listOperations as contract } from '#shared/contracts/list-operations.ts';
import { describeOperation } from '#shared/contracts/operation-answer.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { Operations } from '#shared/dynamodb/operations.ts';
import type { FindUser } from '#shared/dynamodb/users.ts';
import type { UseCase } from '#shared/http/endpoint.ts';
import { pageOf, recordAtCursor } from '#shared/http/page.ts';

interface Dependencies {
  readonly findUser: FindUser;
  readonly operations: Pick<Operations, 'find'>;
  /** Newest first, from after the given operation on. */
  readonly idsOfUser: (userId: string, after: OffRamp | undefined) => AsyncIterable<string>;
}

export function listOperations({ findUser, operations, idsOfUser }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, query }) => {
    if ((await findUser(clientId, path.user_id)) === undefined) throw new Refusal('USER_NOT_FOUND');
    const { status, externalReference, limit, cursor } = query();
    const after = await recordAtCursor(cursor, operations.find, ({ userId }) => userId === path.user_id);
    const ids = idsOfUser(path.user_id, after);
    const { items, isLast } = await pageOf(Number(limit), ids, operations.find, fits);
    const nextCursor = isLast ? undefined : items.at(-1)?.operationId;
    return { body: { operations: items.map(describeOperation), ...(nextCursor !== undefined && { nextCursor }) } };

    function fits(operation: OffRamp): boolean {
      return (
        (status === undefined || operation.status === status) &&
        (externalReference === undefined || operation.externalReference === externalReference)
      );
    }
  };
}
