import type { readPayin as contract } from '#shared/operators/pay-in-lookup.ts';
import type { FindPolledPayin } from '#shared/pay-ins/polled-pay-in.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { payinNextStep } from './pay-in-next-step.ts';
import { type Telling, toldOf } from './told-of.ts';

interface Dependencies extends Telling {
  readonly findPayin: FindPolledPayin;
}

export function readPayin(deps: Dependencies): UseCase<typeof contract> {
  return async ({ query }) => {
    const { payin: payinId } = query();
    const payin = await deps.findPayin(payinId);
    if (payin === undefined) throw new ApiError('PAYIN_NOT_FOUND', { detail: 'There is no pay-in with this id.' });
    const { clientId, userId } = payin;
    const told = await toldOf(deps, payinId, clientId);
    return {
      body: { ...payin, next: payinNextStep(payin), statusHistory: [...payin.statusHistory], ...told },
      ids: { payinId, clientId, userId },
    };
  };
}
