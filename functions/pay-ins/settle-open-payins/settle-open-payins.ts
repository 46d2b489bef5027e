import type { ListClientIds } from '#shared/clients/client-directory.ts';
import { isOpen } from '#shared/pay-ins/pay-in.ts';
import type { UnreadablePayins } from '#shared/pay-ins/pay-in-lists.ts';
import { nextPollAt, nextTryAt } from '#shared/pay-ins/pay-in-poll-schedule.ts';
import type { PayinStore, PolledPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { type FindPayment, PaymentUnreadable, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { inTurns, lanes, sweep } from '#shared/platform/sweep.ts';

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

/** Milliseconds, at most, after a poll without an answer. */
const TRY_AGAIN = 3600_000;

/** Milliseconds: the longest pause that a rail may request. */
const LONGEST_WAIT = 24 * 3600_000;

/**
 * Polls the rail for due pay-ins: those whose order had an unknown outcome, those without a notification, those that
 * ended without money but may still be paid, and those whose money may have been taken back. Clients take turns,
 * longest due first; the next run continues where this one ends. A failed poll stops no other; a rail that requests a
 * pause gets it. Returns how many it polled.
 */
export function settleOpenPayins(deps: Dependencies) {
  /** Milliseconds since 1970, kept for later runs in the same process. */
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

/** @returns the milliseconds of the pause that the rail requests */
async function pollPayin(deps: Dependencies, payinId: string): Promise<number> {
  const seen = await deps.payins.findPolled(payinId);
  if (seen === undefined) return 0;
  try {
    const payment = await deps.findPayment(seen);
    if (seen.unreadableSince !== undefined) await deps.unreadable.clear(payinId);
    await deps.settlePayin(payinId, { asked: seen, payment });
    await reschedule(deps, seen, nextPollAt(seen, deps.clock.now()));
    return 0;
  } catch (error) {
    reportFailure(payinId, error);
    const wait = error instanceof RailUnavailable ? Math.min((error.retryAfter ?? 0) * 1000, LONGEST_WAIT) : 0;
    const next = nextTryAt(seen, deps.clock.now());
    // What a notification wants looked up again must not wait a day for it.
    const soon = new Date(deps.clock.now().getTime() + TRY_AGAIN).toISOString();
    const isSilent = error instanceof RailUnavailable && !(error instanceof PaymentUnreadable);
    await reschedule(deps, seen, isSilent && next !== undefined && next > soon ? soon : next, wait);
    return wait;
  }
}

/** After a failure, too, so that a poll that always fails is not made more often. */
async function reschedule({ payins, clock }: Dependencies, seen: PolledPayin, next: string | undefined, wait = 0) {
  const earliest = new Date(clock.now().getTime() + wait).toISOString();
  const at = next !== undefined && next < earliest ? earliest : next;
  // Else a later write has set the next poll.
  const isPutOff = await payins.putOff(seen, at);
  if (isPutOff && at === undefined && isOpen(seen.status)) log.error('PAYIN_LEFT_OPEN', { payinId: seen.payinId });
}

/** The boundary has reported an unreadable answer; here only missing answers are counted. */
function reportFailure(payinId: string, error: unknown): void {
  if (error instanceof PaymentUnreadable) return;
  const told = { payinId, cause: describe(error) };
  if (error instanceof RailUnavailable) log.warn('RAIL_UNAVAILABLE', told);
  else log.error('PAYIN_NOT_SETTLED', told);
}
