import type { ListClientIds } from '#shared/clients/client-directory.ts';
import { isOpen, type Payin } from '#shared/pay-ins/pay-in.ts';
import type { UnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { nextPollAfterFailure, nextPollAt } from '#shared/pay-ins/pay-in-poll-schedule.ts';
import type { PayinStore, PolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import {
  type FindPayment,
  PaymentUnreadable,
  RailNotServed,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import { createRailPauses, type RailPauses } from '#shared/pay-ins/rails/rail-pauses.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { roundRobin, shareAmongConsumers, sweep } from '#shared/platform/sweep.ts';

interface Dependencies {
  readonly payins: Pick<PayinStore, 'findPolled' | 'due' | 'putOff'>;
  readonly unreadable: Pick<UnreadablePayins, 'clear'>;
  readonly listClientIds: ListClientIds;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly clock: Clock;
}

/** Leaves time to finish before the function times out. */
export const RUNS_FOR_SECONDS = 45;

/** Polls in parallel; they wait for the rail. */
export const POLLS_AT_ONCE = 150;

/** Milliseconds after a payment within which the rail should have notified it. */
const NOTIFIED_WITHIN = 2 * 60_000;

/** Milliseconds until the next poll when the rail has not answered, at most. */
const TRY_AGAIN = 3600_000;

/** Milliseconds until the next poll of a pay-in that is left open, which calls finance operations again. */
const LEFT_OPEN_AGAIN = 7 * 24 * 3600_000;

/**
 * Polls the rail for due pay-ins: those whose order had an unknown outcome, those without a notification, those that
 * ended without money but may still be paid, and those whose money may have been taken back. Clients take turns,
 * longest due first; the next run continues where this one ends. A failed poll stops no other; a rail that requests a
 * pause gets it, and the polls of other rails go on. Returns the number of polls.
 */
export function settleOpenPayins(deps: Dependencies) {
  const pauses = createRailPauses(deps.clock);
  return async (): Promise<number> => {
    const { payins, listClientIds, clock } = deps;
    const startedAt = clock.now();
    const due = (await listClientIds()).map((clientId) => payins.due(clientId, startedAt.toISOString()));
    let postponed = 0;
    const poll = async (payinId: string) => {
      const seen = await payins.findPolled(payinId);
      const pausedUntil = seen && pauses.endOf(seen.rail);
      if (seen === undefined) return;
      if (pausedUntil === undefined) return await pollPayin(deps, pauses, seen);
      postponed += 1;
      // Otherwise each run would read it again, before the pay-ins of other rails.
      await payins.putOff(seen, pausedUntil);
    };
    const handled = await sweep(shareAmongConsumers(roundRobin(due, clock), POLLS_AT_ONCE), poll, {
      clock,
      until: startedAt.getTime() + RUNS_FOR_SECONDS * 1000,
      report: reportFailure,
    });
    return handled - postponed;
  };
}

async function pollPayin(deps: Dependencies, pauses: RailPauses, seen: PolledPayin): Promise<void> {
  const { payinId, rail } = seen;
  try {
    const payment = await deps.findPayment(seen);
    if (seen.unreadableSince !== undefined) await deps.unreadable.clear(payinId);
    const settled = await deps.settlePayin(payinId, { asked: seen, payment });
    if (isFoundLate(seen, settled, deps.clock.now())) log.warn('PAID_WITHOUT_NOTIFICATION', { payinId, rail });
    await reschedule(deps, seen, settled, nextPollAt(seen, deps.clock.now()));
  } catch (error) {
    reportFailure(payinId, error);
    pauses.begin(rail, error);
    const next = nextPollAfterFailure(seen, deps.clock.now());
    // A pay-in with a recent notification must not wait a day for its next poll.
    const soon = new Date(deps.clock.now().getTime() + TRY_AGAIN).toISOString();
    const isSilent = error instanceof RailUnavailable && !(error instanceof PaymentUnreadable);
    await reschedule(deps, seen, seen, isSilent && next !== undefined && next > soon ? soon : next, pauses.endOf(rail));
  }
}

/** True if this poll found a payment that the rail should have notified: the rail may have stopped notifying. */
function isFoundLate({ status }: Payin, settled: Payin | undefined, now: Date): boolean {
  const { paidAt } = settled?.status === 'COMPLETED' && status !== 'COMPLETED' ? settled : {};
  return paidAt !== undefined && now.getTime() - Date.parse(paidAt) >= NOTIFIED_WITHIN;
}

/**
 * Sets the next poll; after a failure, too, so that a poll that always fails is not repeated by every run. The alarm is
 * raised before the poll is put off: a run that stops in between is repeated, and no list shows a pay-in that is left
 * open. So the alarm comes again each week until somebody or the rail ends the pay-in.
 */
async function reschedule(
  { payins, clock }: Dependencies,
  seen: PolledPayin,
  settled: Payin | undefined,
  next: string | undefined,
  earliest = '',
): Promise<void> {
  const isLeftOpen = next === undefined && settled !== undefined && isOpen(settled.status);
  if (isLeftOpen) log.error('PAYIN_LEFT_OPEN', { payinId: seen.payinId });
  const planned = isLeftOpen ? new Date(clock.now().getTime() + LEFT_OPEN_AGAIN).toISOString() : next;
  // Without effect if a later write has set the next poll.
  await payins.putOff(seen, planned !== undefined && planned < earliest ? earliest : planned);
}

/** Logs a failed poll, except an unreadable answer, which the look-up has already reported. */
function reportFailure(payinId: string, error: unknown): void {
  if (error instanceof PaymentUnreadable) return;
  const details = { payinId, cause: describe(error) };
  const isSilent = error instanceof RailUnavailable && !(error instanceof RailNotServed);
  if (isSilent) log.warn('RAIL_UNAVAILABLE', details);
  else log.error('PAYIN_NOT_SETTLED', details);
}
