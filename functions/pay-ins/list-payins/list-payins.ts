import { clientErrors } from '#shared/clients/client-errors.ts';
import type { FindUser } from '#shared/clients/user-repository.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { describePayinWithHistory, type listPayinsContract } from '#shared/pay-ins/pay-in-contract.ts';
import type { ListedPayins } from '#shared/pay-ins/pay-in-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { filterBy, findCursorRecord, readPage } from '#shared/platform/http/page.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly findUser: FindUser;
  readonly payins: ListedPayins;
}

export function listPayins({ findUser, payins }: Dependencies): UseCase<typeof listPayinsContract> {
  return async ({ clientId, path, query }) => {
    const userId = path.user_id;
    if ((await findUser(clientId, userId)) === undefined) throw new ApiError(clientErrors.USER_NOT_FOUND);
    const { externalReference, limit, cursor } = query();
    const after = await findCursorRecord(cursor, payins.getReadable, (payin) => payin.userId === userId);
    const ids = payins.idsOfUser({ userId, externalReference }, after);
    const fits = filterBy<Payin>({ externalReference });
    const { items, examined } = await readPage({ limit: Number(limit), ids, getAll: payins.getReadable, fits });
    return { body: { payins: items.map(describePayinWithHistory), ...(examined && { nextCursor: examined.payinId }) } };
  };
}
