import type { ListClientIds } from '#shared/clients/client-directory.ts';
import { isOpen, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { UnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { nextPollAt, nextTryAt } from '#shared/pay-ins/pay-in-poll-schedule.ts';
import type { PayinStore } from '#shared/pay-ins/pay-in-repository.ts';
import { type FindPayment, PaymentUnreadable, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { inTurns, lanes, sweep } from '#shared/platform/sweep.ts';

interface Dependencies {
  readonly payins: Pick<PayinStore, 'find' | 'due' | 'pollAgainAt'>;
  readonly unreadable: Pick<UnreadablePayins, 'clear'>;
  readonly listClientIds: ListClientIds;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly clock: Clock;
}

/** Leaves time to finish what was begun before the function's own time is up. */
const RUNS_FOR_SECONDS = 45;

/** Polls at the same time; they wait for the rail. */
const POLLS_AT_ONCE = 50;

/** Milliseconds: of a rail that wants to be left alone for longer than a day, no more is believed. */
const LONGEST_WAIT = 24 * 3600_000;

/**
 * Asks the rail for the payments of pay-ins that are due: those whose order had an unknown outcome, those whose
 * notification never came, those that ended without money but may still be paid, and those whose money may have been
 * taken back. Clients take turns, each one's longest due first, so that the next run continues where one ends. A poll that
 * fails stops no other; a rail that says for how long it is not to be asked is not asked for so long. Returns how many it
 * polled.
 */
export function settleOpenPayins(deps: Dependencies) {
  /** Milliseconds since 1970, kept for the runs that follow in the same function. */
  let notBefore = 0;
  return async (): Promise<number> => {
    const { payins, listClientIds, clock } = deps;
    const startedAt = clock.now();
    const due = (await listClientIds()).map((clientId) => payins.due(clientId, startedAt.toISOString()));
    const whileAsked = async function* () {
      for await (const payinId of inTurns(due, clock)) {
        if (clock.now().getTime() < notBefore) return;
        yield payinId;
      }
    };
    const poll = async (payinId: string) => {
      const wait = await pollPayin(deps, payinId);
      notBefore = Math.max(notBefore, clock.now().getTime() + wait);
    };
    return await sweep(lanes(whileAsked(), POLLS_AT_ONCE), poll, {
      clock,
      until: startedAt.getTime() + RUNS_FOR_SECONDS * 1000,
      report: reportFailure,
    });
  };
}

/** @returns the milliseconds for which the rail wants nobody to ask */
async function pollPayin(deps: Dependencies, payinId: string): Promise<number> {
  const seen = await deps.payins.find(payinId);
  if (seen === undefined) return 0;
  try {
    const payment = await deps.findPayment(payinId);
    if (seen.unreadableSince !== undefined) await deps.unreadable.clear(payinId);
    await deps.settlePayin(payinId, { asked: seen, payment });
    await reschedule(deps, seen, nextPollAt(seen, deps.clock.now()));
    return 0;
  } catch (error) {
    reportFailure(payinId, error);
    const wait = error instanceof RailUnavailable ? Math.min((error.retryAfter ?? 0) * 1000, LONGEST_WAIT) : 0;
    await reschedule(deps, seen, nextTryAt(seen, deps.clock.now()), wait);
    return wait;
  }
}

/** Whether the poll failed or not: one that fails for ever is polled no more often than another. */
async function reschedule({ payins, clock }: Dependencies, seen: Payin, next: string | undefined, wait = 0) {
  const earliest = new Date(clock.now().getTime() + wait).toISOString();
  const at = next !== undefined && next < earliest ? earliest : next;
  // A pay-in that was written meanwhile is due when that write says.
  const isPutOff = await payins.pollAgainAt(seen, at);
  if (isPutOff && at === undefined && isOpen(seen.status)) log.error('PAYIN_LEFT_OPEN', { payinId: seen.payinId });
}

/** An answer that cannot be read has been reported by who asked; a rail that does not answer is counted. */
function reportFailure(payinId: string, error: unknown): void {
  if (error instanceof PaymentUnreadable) return;
  const told = { payinId, cause: describe(error) };
  if (error instanceof RailUnavailable) log.warn('RAIL_UNAVAILABLE', told);
  else log.error('PAYIN_NOT_SETTLED', told);
}
