import { noPayin } from '#shared/operators/no-pay-in.ts';
import type { EndMismatch } from '#shared/pay-ins/end-mismatch.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import type { endPayin as contract } from '#shared/pay-ins/pay-in-commands.ts';
import type { FindPayin } from '#shared/pay-ins/pay-in-store.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { Change } from './audited.ts';

interface Dependencies {
  readonly findPayin: FindPayin;
  readonly endMismatch: EndMismatch;
  readonly clock: Clock;
}

/** One that is ended already stays as it is. What is not the amount that was settled ends nothing: it came since then. */
export function endPayin({ findPayin, endMismatch, clock }: Dependencies): Change<typeof contract> {
  return async ({ payinId, paidAmount }) => {
    const ended = await retryOnConflict(clock, async () => {
      const seen = await findPayin(payinId);
      if (seen === undefined) throw noPayin();
      refuseUnlessMismatched(seen, paidAmount);
      return seen.mismatchEndedAt === undefined ? endMismatch(seen, clock.now().toISOString()) : seen;
    });
    const { status, settlementMismatch, clientId, userId } = ended;
    return { body: { payinId, status, settlementMismatch }, ids: { payinId, clientId, userId } };
  };
}

function refuseUnlessMismatched({ status, settlementMismatch }: Payin, paidAmount: string): void {
  if (status === 'COMPLETED') {
    throw new ApiError('PAYIN_STATUS_CONFLICT', {
      detail: 'It was paid as it was ordered: it is completed, which is final.',
    });
  }
  if (settlementMismatch === undefined) {
    throw new ApiError('PAYIN_STATUS_CONFLICT', {
      detail: 'No other amount was paid than was ordered: its rail, or its time, ends it. Ask the rail by poll-payin.',
    });
  }
  if (canonicalAmount(settlementMismatch.amount) !== canonicalAmount(paidAmount)) {
    const { amount, currency } = settlementMismatch;
    throw new ApiError('PAYIN_STATUS_CONFLICT', {
      detail: `What was paid is ${amount} ${currency}: settle that first.`,
    });
  }
}
