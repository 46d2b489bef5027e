import { noPayin } from '#shared/pay-ins/no-pay-in.ts';
import { isOpen } from '#shared/pay-ins/pay-in.ts';
import type { expirePayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import { nextPollAt } from '#shared/pay-ins/pay-in-poll-schedule.ts';
import type { PayinStore } from '#shared/pay-ins/pay-in-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import { conflict } from './end-payin.ts';

interface Dependencies {
  readonly payins: Pick<PayinStore, 'find' | 'changeStatus'>;
  readonly clock: Clock;
}

/**
 * Ends a pay-in that its rail keeps open for ever (decisions.md 5, Left open). It may still be paid: money that arrives
 * later completes it, like any EXPIRED pay-in. A repeat changes nothing.
 */
export function expirePayin({ payins, clock }: Dependencies): Change<typeof expirePayinContract> {
  return ({ payinId }) =>
    retryOnConflict(clock, async () => {
      const seen = await payins.find(payinId);
      if (seen === undefined) throw noPayin();
      const { clientId, userId } = seen;
      const ids = { payinId, clientId, userId };
      if (seen.status === 'EXPIRED') return { body: { payinId, status: seen.status }, ids };
      const now = clock.now();
      if (!isOpen(seen.status)) throw conflict(`It is ${seen.status}.`);
      if (seen.mismatchedAt !== undefined) throw conflict('It was paid with another amount: end-payin ends that.');
      const next = nextPollAt(seen, now);
      if (next !== undefined) throw conflict(`It may still be paid, and its rail is asked again at ${next}.`);
      const { status } = await payins.changeStatus(seen, 'EXPIRED', now.toISOString());
      return { body: { payinId, status }, ids };
    });
}
