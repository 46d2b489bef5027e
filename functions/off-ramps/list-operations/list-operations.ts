import { clientErrors } from '#shared/clients/client-errors.ts';
import type { FindUser } from '#shared/clients/user-repository.ts';
import { describeOperation, type listOperationsContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { ListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { filterBy, findCursorRecord, readPage } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly findUser: FindUser;
  readonly operations: Pick<ListedOffRamps, 'idsOfUser' | 'getReadable'>;
}

export function listOperations({ findUser, operations }: Dependencies): UseCase<typeof listOperationsContract> {
  return async ({ clientId, path, query }) => {
    const userId = path.user_id;
    if ((await findUser(clientId, userId)) === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const { status, externalReference, limit, cursor } = query();
    const after = await findCursorRecord(cursor, operations.getReadable, (operation) => operation.userId === userId);
    const { items, examined } = await readPage<OffRamp>({
      limit: Number(limit),
      ids: operations.idsOfUser({ userId, externalReference }, after),
      getAll: operations.getReadable,
      fits: filterBy<OffRamp>({ status, externalReference }),
    });
    return {
      body: { operations: items.map(describeOperation), ...(examined && { nextCursor: examined.operationId }) },
    };
  };
}
