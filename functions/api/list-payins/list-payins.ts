import type { listPayins as contract } from '#shared/contracts/list-payins.ts';
import { describePayinWithHistory } from '#shared/contracts/payin-answer.ts';
import type { Payin } from '#shared/domain/payin.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { Payins } from '#shared/dynamodb/payins.ts';
import type { FindUser } from '#shared/dynamodb/users.ts';
import type { UseCase } from '#shared/http/endpoint.ts';
import { pageOf, recordAtCursor } from '#shared/http/page.ts';

interface Dependencies {
  readonly findUser: FindUser;
  readonly payins: Pick<Payins, 'find' | 'idsOfUser'>;
}

export function listPayins({ findUser, payins }: Dependencies): UseCase<typeof contract> {
  return async ({ clientId, path, query }) => {
    if ((await findUser(clientId, path.user_id)) === undefined) throw new Refusal('USER_NOT_FOUND');
    const { externalReference, limit, cursor } = query();
    const after = await recordAtCursor(cursor, payins.find, ({ userId }) => userId === path.user_id);
    const { items, isLast } = await pageOf(Number(limit), payins.idsOfUser(path.user_id, after), payins.find, fits);
    const nextCursor = isLast ? undefined : items.at(-1)?.payinId;
    return { body: { payins: items.map(describePayinWithHistory), ...(nextCursor !== undefined && { nextCursor }) } };

    function fits(payin: Payin): boolean {
      return externalReference === undefined || payin.externalReference === externalReference;
    }
  };
}
