import { mayPayinBecome, type Payin } from '#shared/domain/payin.ts';
import { decideAgain } from '#shared/dynamodb/decide-again.ts';
import type { PayinChanges } from '#shared/dynamodb/payin-changes.ts';
import type { Payins } from '#shared/dynamodb/payins.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { log } from '#shared/runtime/logger.ts';
import type { Payment } from './payment-rail.ts';

/**
 * Gives a pay-in the end that its payment has at the rail. What it already has, or can no longer become, changes
 * nothing, so that notifications may come twice and in any order. `undefined` when there is no such pay-in.
 */
export function payinSettler(payins: Pick<Payins, 'find'> & Pick<PayinChanges, 'changeStatus'>, clock: Clock) {
  return (payinId: string, outcome: Payment['status']): Promise<Payin | undefined> =>
    decideAgain(clock, async () => {
      const seen = await payins.find(payinId);
      if (seen === undefined || outcome === 'PENDING' || outcome === seen.status) return seen;
      if (mayPayinBecome(seen.status, outcome)) return payins.changeStatus(seen, outcome, clock.now().toISOString());
      log.error('PAYIN_OUTCOME_REFUSED', { payinId, status: seen.status, outcome });
      return seen;
    });
}

export type SettlePayin = ReturnType<typeof payinSettler>;
