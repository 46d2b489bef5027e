import { isOpen, type Payin } from '#shared/domain/payin.ts';
import type { PayinChanges } from '#shared/dynamodb/payin-changes.ts';
import type { Payins } from '#shared/dynamodb/payins.ts';
import type { FindPayment } from '#shared/payment-rail/payment-rail.ts';
import type { SettlePayin } from '#shared/payment-rail/settle-payin.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';

interface Dependencies {
  readonly payins: Pick<Payins, 'find' | 'due'> & Pick<PayinChanges, 'lookAgainAt'>;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly clock: Clock;
}

/** Milliseconds. */
const MINUTE = 60_000;

/** A pay-in that the rail does not know by then never reached it. */
const NEVER_ORDERED_AFTER = 15 * MINUTE;

/** A pay-in that is still open by then is left to finance operations. */
const PATIENCE = 30 * 24 * 60 * MINUTE;

/**
 * Looks open pay-ins up at the rail: those whose order had an unknown outcome, and those whose notification never came.
 * The pause between two looks grows with the pay-in's age, from a minute to an hour. One that fails stops no other.
 *
 * @returns how many it found
 */
export function settleOpenPayins(deps: Dependencies) {
  return async (): Promise<number> => {
    let due = 0;
    for await (const payinId of deps.payins.due(deps.clock.now().toISOString())) {
      due += 1;
      try {
        await settle(deps, payinId);
      } catch (error) {
        log.error('PAYIN_NOT_SETTLED', { payinId, cause: describe(error) });
      }
    }
    return due;
  };
}

async function settle({ payins, findPayment, settlePayin, clock }: Dependencies, payinId: string): Promise<void> {
  const payin = await payins.find(payinId);
  if (payin === undefined) return;
  const age = clock.now().getTime() - Date.parse(payin.createdAt);
  const payment = isOpen(payin.status) ? await findPayment(payinId) : undefined;
  const outcome = payment?.status ?? (age > NEVER_ORDERED_AFTER ? 'FAILED' : 'PENDING');
  const settled = await settlePayin(payinId, outcome);
  if (settled !== undefined && isOpen(settled.status)) await payins.lookAgainAt(payinId, nextLook(payin, age, clock));
}

function nextLook({ payinId }: Payin, age: number, clock: Clock): string | undefined {
  if (age > PATIENCE) {
    log.error('PAYIN_LEFT_OPEN', { payinId });
    return undefined;
  }
  const pause = Math.min(60 * MINUTE, Math.max(MINUTE, age / 2));
  return new Date(clock.now().getTime() + pause).toISOString();
}
