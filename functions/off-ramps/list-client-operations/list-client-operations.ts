import { describeOperation, type listClientOperationsContract } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { ListedOffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { findCursorRecord, readPage } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

export function listClientOperations(
  operations: Pick<ListedOffRamps, 'idsOfClient' | 'getReadable'>,
): UseCase<typeof listClientOperationsContract> {
  return async ({ clientId, query }) => {
    const { status, externalReference, limit, cursor } = query();
    const after = await findCursorRecord(
      cursor,
      operations.getReadable,
      (operation) => operation.clientId === clientId,
    );
    const { items, examined } = await readPage<OffRamp>({
      limit: Number(limit),
      ids: operations.idsOfClient({ clientId, externalReference }, after),
      getAll: operations.getReadable,
      fits: status && ((operation) => operation.status === status),
    });
    return {
      body: { operations: items.map(describeOperation), ...(examined && { nextCursor: examined.operationId }) },
    };
  };
}
