import { isOpen, type Payin } from '#shared/pay-ins/pay-in.ts';
import { nextPollAt } from '#shared/pay-ins/pay-in-poll-schedule.ts';
import type { PayinStore } from '#shared/pay-ins/pay-in-store.ts';
import type { FindPayment } from '#shared/pay-ins/rails/payment-rail.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { sweep } from '#shared/platform/sweep.ts';

interface Dependencies {
  readonly payins: Pick<PayinStore, 'find' | 'due' | 'pollAgainAt'>;
  readonly shards: readonly string[];
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly clock: Clock;
}

/** Leaves time to finish what was begun before the function's own time is up. */
const RUNS_FOR_SECONDS = 45;

/** Polls of one shard at the same time; they wait for the rail. */
const POLLS_AT_ONCE = 5;

/**
 * Asks the rail for the payments of pay-ins that are due: those whose order had an unknown outcome, those whose
 * notification never came, and those that ended without money but may still be paid. All shards at the same time, the
 * longest due first, so that the next run continues where one ends. A poll that fails stops no other. Returns how many
 * it polled.
 */
export function settleOpenPayins(deps: Dependencies) {
  return (): Promise<number> => {
    const { payins, shards, clock } = deps;
    const startedAt = clock.now();
    return sweep(
      shards.map((shard) => payins.due(shard, startedAt.toISOString())),
      (payinId) => poll(deps, payinId),
      { clock, until: startedAt.getTime() + RUNS_FOR_SECONDS * 1000, atOnce: POLLS_AT_ONCE, report: notSettled },
    );
  };
}

async function poll(deps: Dependencies, payinId: string): Promise<void> {
  const payin = await deps.payins.find(payinId);
  // The index is late: a notification has completed it.
  if (payin === undefined || payin.status === 'COMPLETED') return;
  try {
    await deps.settlePayin(payinId, await deps.findPayment(payinId));
  } catch (error) {
    notSettled(payinId, error);
  }
  await reschedule(deps, payin);
}

/** Whether the poll failed or not: one that fails for ever is polled no more often than another. */
async function reschedule({ payins, clock }: Dependencies, payin: Payin): Promise<void> {
  const next = nextPollAt(payin, clock.now());
  // A pay-in that was written meanwhile is due when that write says.
  const isPutOff = await payins.pollAgainAt(payin, next);
  if (isPutOff && next === undefined && isOpen(payin.status)) log.error('PAYIN_LEFT_OPEN', { payinId: payin.payinId });
}

function notSettled(payinId: string, error: unknown): void {
  log.error('PAYIN_NOT_SETTLED', { payinId, cause: describe(error) });
}
