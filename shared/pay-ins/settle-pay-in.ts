import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { log } from '#shared/platform/logger.ts';
import { isOpen, mayPayinBecome, type Payin } from './pay-in.ts';
import { payinOutcome } from './pay-in-outcome.ts';
import type { PayinStore } from './pay-in-store.ts';
import type { Payment } from './rails/payment-rail.ts';

type SettledPayins = Pick<PayinStore, 'find' | 'changeStatus' | 'keepLink' | 'keepMismatch'>;

/**
 * Gives a pay-in the link or the end of its payment. The rail was asked before, and the outcome is written only for the
 * pay-in as it is read here. A repetition changes nothing, so that notifications may come twice and in any order.
 * `undefined` when there is no such pay-in.
 */
export function createSettlePayin(payins: SettledPayins, clock: Clock) {
  return (payinId: string, payment: Payment | undefined): Promise<Payin | undefined> => {
    const now = clock.now();
    return retryOnConflict(clock, async () => {
      const seen = await payins.find(payinId);
      if (seen !== undefined) return settled(payins, seen, payment, now);
      if (payment?.status === 'COMPLETED') log.error('PAYIN_UNKNOWN', { payinId });
      return undefined;
    });
  };
}

export type SettlePayin = ReturnType<typeof createSettlePayin>;

async function settled(payins: SettledPayins, seen: Payin, payment: Payment | undefined, now: Date): Promise<Payin> {
  const outcome = payinOutcome(seen, payment, now);
  if (payment !== undefined && outcome === 'OTHER_AMOUNT') return mismatched(payins, seen, payment, now.toISOString());
  if (outcome === 'PENDING') return linked(payins, seen, payment?.link);
  if (outcome === 'OTHER_AMOUNT' || outcome === seen.status) return seen;
  if (mayPayinBecome(seen.status, outcome)) return payins.changeStatus(seen, outcome, now.toISOString());
  // Of two ends without money the first one counts. A payment that the rail takes back is for finance operations.
  if (seen.status === 'COMPLETED') log.error('PAYIN_OUTCOME_REFUSED', { payinId: seen.payinId, outcome });
  return seen;
}

/** Where an open pay-in is paid, for its client to read: the rail may make it later than the creation waits for it. */
async function linked(payins: SettledPayins, seen: Payin, link: string | undefined): Promise<Payin> {
  if (link === undefined || seen.pseLink !== undefined || !isOpen(seen.status)) return seen;
  await payins.keepLink(seen.payinId, link);
  return { ...seen, pseLink: link };
}

/** Of another amount than the one that they have settled with the client, finance operations have to hear. */
function isKnown(
  { settlementMismatch: known, mismatchEndedAt }: Payin,
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
): boolean {
  if (known === undefined) return false;
  return mismatchEndedAt === undefined || (known.amount === amount && known.currency === currency);
}

/**
 * Stored once; finance operations resolve it. It is logged before it is stored, because after a write whose answer was
 * lost, or a function that was stopped, it would never be logged. Two callers at the same time both log it.
 */
async function mismatched(
  payins: SettledPayins,
  seen: Payin,
  { amount, currency }: Payment,
  at: string,
): Promise<Payin> {
  if (isKnown(seen, { amount, currency })) return seen;
  log.error('PAYIN_SETTLEMENT_MISMATCH', { payinId: seen.payinId });
  return payins.keepMismatch(seen, { amount, currency, at });
}
