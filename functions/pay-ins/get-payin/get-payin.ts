import { describePayinWithHistory, type getPayinContract } from '#shared/pay-ins/pay-in-contract.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import type { FindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

export function getPayin(findPayin: FindPayin): UseCase<typeof getPayinContract> {
  return async ({ clientId, path }) => {
    const payin = await findPayin(path.payin_id);
    if (payin?.clientId !== clientId || payin.userId !== path.user_id) throw new ApiError(payinErrors.PAYIN_NOT_FOUND);
    return { body: describePayinWithHistory(payin) };
  };
}
