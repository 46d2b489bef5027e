import type { getPayin as contract } from '#shared/contracts/get-payin.ts';
import { describePayinWithHistory } from '#shared/contracts/payin-answer.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { Payins } from '#shared/dynamodb/payins.ts';
import type { UseCase } from '#shared/http/use-case.ts';

export function getPayin(payins: Pick<Payins, 'find'>): UseCase<typeof contract> {
  return async ({ clientId, path }) => {
    const payin = await payins.find(path.payin_id);
    if (payin?.clientId !== clientId || payin.userId !== path.user_id) throw new Refusal('PAYIN_NOT_FOUND');
    return { body: describePayinWithHistory(payin) };
  };
}
