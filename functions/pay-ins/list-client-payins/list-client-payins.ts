import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { describePayinWithHistory, type listClientPayinsContract } from '#shared/pay-ins/pay-in-contract.ts';
import type { ListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import { findCursorRecord, readPage } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

export function listClientPayins(
  payins: Pick<ListedPayins, 'idsOfClient' | 'getReadable'>,
): UseCase<typeof listClientPayinsContract> {
  return async ({ clientId, query }) => {
    const { status, externalReference, limit, cursor } = query();
    const after = await findCursorRecord(cursor, payins.getReadable, (payin) => payin.clientId === clientId);
    const { items, examined } = await readPage<Payin>({
      limit: Number(limit),
      ids: payins.idsOfClient({ clientId, externalReference }, after),
      getAll: payins.getReadable,
      fits: status && ((payin) => payin.status === status),
    });
    return { body: { payins: items.map(describePayinWithHistory), ...(examined && { nextCursor: examined.payinId }) } };
  };
}
