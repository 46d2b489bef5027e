import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { isNews } from '#shared/pay-ins/pay-in-outcome.ts';
import type { FindPayin, PollPayinNow } from '#shared/pay-ins/pay-in-repository.ts';
import { type Payment, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { createListPayments, type ListedPayment, type Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { sweep } from '#shared/platform/sweep.ts';
import type { ListPass, ListPasses } from './list-passes.ts';

interface Dependencies {
  readonly rails: Rails<'listPayments'>;
  readonly passes: ListPasses;
  readonly findPayin: FindPayin;
  readonly pollPayinNow: PollPayinNow;
  readonly clock: Clock;
}

/** Leaves time to finish a page before the function times out. */
export const RUNS_FOR_SECONDS = 30;

/** Milliseconds. */
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** A pay-in can be paid until 30 days after its creation, and its money may change for 30 days more. */
export const LISTED_FOR = 61 * DAY;

const PAUSE = 5 * MINUTE;

/** Since the beginning of the last pass that came to its end. */
const LATE = 2 * DAY;

/**
 * Reads the list of each rail's payments to its end once a day, and makes a poll due of each pay-in of which it says
 * something new: what a rail did not notify is settled by the sweep that settles everything else. The place in a list
 * moves only past what was handed over, and the next call goes on there. Returns how many polls it made due.
 */
export function reconcilePayments(deps: Dependencies) {
  return async (): Promise<number> => {
    const until = deps.clock.now().getTime() + RUNS_FOR_SECONDS * 1000;
    let due = 0;
    const read = async (rail: string) => {
      for await (const handedOver of readList(deps, rail, until)) due += handedOver;
    };
    const lists = [...deps.rails.keys()].map((rail) => [rail]);
    await sweep(lists, read, { clock: deps.clock, until, report: reportFailure });
    return due;
  };
}

function reportFailure(rail: string, error: unknown): void {
  log.error('PAYMENTS_NOT_RECONCILED', { rail, cause: describe(error) });
}

/** Yields, for each page, the number of polls that it made due. */
async function* readList({ passes, ...deps }: Dependencies, rail: string, until: number): AsyncGenerator<number> {
  const { clock, rails } = deps;
  const asked = rails.get(rail);
  const begun = await passes.find(rail);
  if (asked === undefined || (begun !== undefined && Date.parse(begun.nextRunAt) > clock.now().getTime())) return;
  const list = createListPayments(asked, clock);
  let pass: ListPass | undefined = passOf(begun, clock.now());
  while (pass?.isUnderWay === true && clock.now().getTime() <= until) {
    const current: ListPass = pass;
    const { startedAt, doneFrom, cursor } = current;
    const createdSince = at(startedAt, -LISTED_FOR);
    try {
      const page = await list({ createdSince, until: startedAt, ...(cursor !== undefined && { cursor }) });
      const news = await Promise.all(page.payments.map((one) => handOver(deps, rail, doneFrom, one)));
      yield news.filter(Boolean).length;
      pass = await passes.save(rail, after(current, page.cursor, clock.now()));
    } catch (error) {
      if (!(error instanceof RailUnavailable)) throw error;
      log.warn('PAYMENTS_NOT_LISTED', { rail, cause: describe(error) });
      if (Date.parse(doneFrom) + LATE < clock.now().getTime()) reportFailure(rail, error);
      const pause = Math.min(Math.max(PAUSE, (error.retryAfter ?? 0) * 1000), DAY);
      await passes.save(rail, { ...current, nextRunAt: at(clock.now().toISOString(), pause) });
      return;
    }
  }
}

/** The pass under way, or a new one. A cursor is good for a day: a pass that is older begins anew. */
function passOf(begun: ListPass | undefined, now: Date): ListPass {
  const isOld = begun !== undefined && Date.parse(begun.startedAt) + DAY <= now.getTime();
  if (begun?.isUnderWay === true && !isOld) return begun;
  const startedAt = now.toISOString();
  const { doneFrom, sequence } = begun ?? { doneFrom: startedAt, sequence: 0 };
  return { startedAt, isUnderWay: true, nextRunAt: startedAt, doneFrom, sequence };
}

/** The same pass after another page. */
function after(pass: ListPass, cursor: string | undefined, now: Date): ListPass {
  const { cursor: _, startedAt, ...rest } = pass;
  return cursor === undefined
    ? { ...rest, startedAt, isUnderWay: false, nextRunAt: at(startedAt, DAY), doneFrom: startedAt }
    : { ...rest, startedAt, cursor, nextRunAt: now.toISOString() };
}

/** Whether a poll was made due: of a pay-in of which the rail says something new, or nothing readable. */
async function handOver(
  { findPayin, pollPayinNow, clock }: Omit<Dependencies, 'passes'>,
  rail: string,
  doneFrom: string,
  { reference, payment }: ListedPayment,
): Promise<boolean> {
  const now = clock.now();
  const payin = reference === undefined ? undefined : await findPayin(reference);
  if (reference === undefined) log.error('PAYMENT_UNREADABLE', { rail, cause: 'A listed payment has no reference.' });
  else if (payin === undefined && payment?.status === 'COMPLETED' && isRecent(payment.paidAt, doneFrom)) {
    log.error('PAYIN_UNKNOWN', { payinId: reference, rail });
  } else if (isPaidTwice(payin, payment) && isRecent(payment?.paidAt, doneFrom)) {
    // Its look-ups ask for the payment that it knows.
    log.error('REFERENCE_USED_TWICE', { payinId: reference, rail });
  }
  if (payin === undefined || (payment !== undefined && !isNews(payin, payment, now))) return false;
  return (await pollPayinNow(payin.payinId, now.toISOString())) !== undefined;
}

/** The rail has the money of another payment than the one that completed the pay-in. */
function isPaidTwice(payin: Payin | undefined, payment: Payment | undefined): boolean {
  const [known, listed] = [payin?.railPaymentId, payment?.railPaymentId];
  const isOther = known !== undefined && listed !== undefined && listed !== known;
  return isOther && payin?.status === 'COMPLETED' && payment?.status === 'COMPLETED';
}

/** So that nobody is called again each day for the same money. */
function isRecent(paidAt: string | undefined, doneFrom: string): boolean {
  return paidAt === undefined || Date.parse(paidAt) >= Date.parse(doneFrom) - DAY;
}

function at(instant: string, milliseconds: number): string {
  return new Date(Date.parse(instant) + milliseconds).toISOString();
}
