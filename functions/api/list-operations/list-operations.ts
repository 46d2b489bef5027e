import { describeOperation } from '#shared/contracts/operation-answer.ts';
import type { listOperations as contract } from '#shared/contracts/withdrawal.ts';
import type { OffRamp } from '#shared/domain/operation.ts';
import { invalid, Refusal } from '#shared/domain/refusal.ts';
import type { Operations } from '#shared/dynamodb/operations.ts';
import type { UseCase } from '#shared/http/endpoint.ts';

interface Dependencies {
  readonly hasUser: (clientId: string, userId: string) => Promise<boolean>;
  readonly operations: Pick<Operations, 'find'>;
  /** Newest first, from after the given operation on. */
  readonly idsOfUser: (userId: string, after: OffRamp | undefined) => AsyncIterable<string>;
}

/** The cursor is the id of the last operation of the page before: it is checked to be one of the user's. */
export function listOperations({ hasUser, operations, idsOfUser }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, query }) => {
    if (!(await hasUser(clientId, path.user_id))) throw new Refusal('USER_NOT_FOUND');
    const { status, externalReference, limit, cursor } = query();
    const after = cursor === undefined ? undefined : await lastShown(operations, path.user_id, cursor);
    const fits = (operation: OffRamp) =>
      (status === undefined || operation.status === status) &&
      (externalReference === undefined || operation.externalReference === externalReference);

    const page: OffRamp[] = [];
    for await (const id of idsOfUser(path.user_id, after)) {
      const operation = await operations.find(id);
      if (operation === undefined || !fits(operation)) continue;
      if (page.length === Number(limit)) return answer(page, page.at(-1)?.operationId);
      page.push(operation);
    }
    return answer(page, undefined);
  };
}

async function lastShown(operations: Pick<Operations, 'find'>, userId: string, cursor: string): Promise<OffRamp> {
  const operation = await operations.find(cursor);
  if (operation?.userId === userId) return operation;
  throw invalid({
    path: 'query.cursor',
    code: 'INVALID_CURSOR',
    message: 'must be the nextCursor of a page of this list',
  });
}

function answer(page: readonly OffRamp[], nextCursor: string | undefined) {
  return { body: { operations: page.map(describeOperation), ...(nextCursor !== undefined && { nextCursor }) } };
}
