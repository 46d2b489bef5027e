import { noPayin } from '#shared/operators/no-pay-in.ts';
import type { readPayin as contract } from '#shared/operators/pay-in-lookup.ts';
import type { FindPolledPayin } from '#shared/pay-ins/polled-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { withLateEvent } from './late-event.ts';
import type { ListChanges } from './list-changes.ts';
import { payinNextStep } from './pay-in-next-step.ts';
import { type Telling, toldOf } from './told-of.ts';

interface Dependencies extends Telling {
  readonly findPayin: FindPolledPayin;
  readonly listChanges: ListChanges;
  readonly clock: Clock;
}

export function readPayin(deps: Dependencies): UseCase<typeof contract> {
  return async ({ query }) => {
    const { payin: payinId } = query();
    const payin = await deps.findPayin(payinId);
    if (payin === undefined) throw noPayin();
    const { clientId, userId } = payin;
    const [told, changes] = await Promise.all([toldOf(deps, payinId, clientId), deps.listChanges(payinId)]);
    return {
      body: {
        ...payin,
        next: withLateEvent(payinNextStep(payin), told.events, deps.clock.now()),
        statusHistory: [...payin.statusHistory],
        ...told,
        changes,
      },
      ids: { payinId, clientId, userId },
    };
  };
}
