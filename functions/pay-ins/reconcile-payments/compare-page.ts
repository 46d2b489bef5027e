import { createHash } from 'node:crypto';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import type { FindPayins } from '#shared/pay-ins/pay-in-lists.ts';
import { hasNewOutcome, isOtherPayment } from '#shared/pay-ins/pay-in-outcome.ts';
import type { PollPayinNow, RecordOtherPayment } from '#shared/pay-ins/pay-in-repository.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import type { ListedPayment } from '#shared/pay-ins/rails/rail-boundary.ts';
import { plainDecimal } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import type { AgreedPage, ListPasses } from './list-passes.ts';

export interface PageDependencies {
  readonly passes: Pick<ListPasses, 'findAgreed' | 'saveAgreed'>;
  readonly findPayins: FindPayins;
  readonly pollPayinNow: PollPayinNow;
  readonly recordOtherPayment: RecordOtherPayment;
  readonly clock: Clock;
}

interface Page {
  readonly rail: string;
  readonly week: number;
  /** The number of the page in the list of its week, from 0. */
  readonly number: number;
  readonly payments: readonly ListedPayment[];
  /** When the last completed pass began. */
  readonly doneFrom: string;
}

/** Milliseconds. */
const DAY = 24 * 3600_000;

/** Milliseconds after which an unchanged page is compared again; the books compare the last fifteen days. */
const AGREES_FOR = 15 * DAY;

/**
 * Makes a poll due for each pay-in about which the page has news. A page that has not changed since all its pay-ins
 * agreed with it is not compared: only an answer of the rail makes a pay-in disagree with its page, and then either the
 * page changes, too, or the pay-in is polled a day later (pay-in-poll-schedule.ts).
 *
 * @returns the number of polls that it made due
 */
export async function comparePage(deps: PageDependencies, page: Page): Promise<number> {
  const { passes, clock } = deps;
  const { rail, week, number } = page;
  // A payment that is pending at the rail is never news.
  const ended = page.payments.filter(({ payment }) => payment?.status !== 'PENDING');
  const agreed = await passes.findAgreed(rail, week, number);
  const digest = createHash('sha256').update(JSON.stringify(ended)).digest('base64url');
  if (isAsAgreed(agreed, digest, clock.now())) return 0;
  const payins = await deps.findPayins(ended.flatMap(({ reference }) => reference ?? []));
  const compared = await Promise.all(ended.map((one) => compare(deps, page, one, payins)));
  const isAgreed = compared.every((result) => result === 'AGREES');
  if (isAgreed) await passes.saveAgreed(rail, week, number, { digest, agreedAt: clock.now().toISOString() });
  // The page may return to its earlier content, with which its changed pay-ins would not agree.
  else if (agreed.digest !== undefined) await passes.saveAgreed(rail, week, number, {});
  return compared.filter((result) => result === 'POLLED').length;
}

function isAsAgreed({ digest, agreedAt = '' }: AgreedPage, current: string, now: Date): boolean {
  return digest === current && now.getTime() < Date.parse(agreedAt) + AGREES_FOR;
}

type Result = 'AGREES' | 'POLLED' | 'WRONG';

async function compare(
  deps: PageDependencies,
  { rail, doneFrom }: Page,
  { reference, payment }: ListedPayment,
  payins: ReadonlyMap<string, Payin | 'UNREADABLE'>,
): Promise<Result> {
  if (reference === undefined) {
    log.error('PAYMENT_UNREADABLE', { rail, cause: 'A listed payment has no reference.' });
    return 'WRONG';
  }
  const payin = payins.get(reference);
  if (payin === 'UNREADABLE') return 'WRONG';
  if (payin === undefined)
    return compareWithNone({ payinId: reference, rail }, payment, isNew(payment?.paidAt, doneFrom));
  if (payment !== undefined && isOtherPayment(payin, payment.railPaymentId))
    return await compareOther(deps, payin, payment.railPaymentId, payment);
  const now = deps.clock.now();
  if (payment !== undefined && !hasNewOutcome(payin, payment, now)) return 'AGREES';
  await deps.pollPayinNow(payin.payinId, now.toISOString());
  return 'POLLED';
}

/**
 * Compares another payment than the one that completed the pay-in. Look-ups only find the latter, so the pay-in stores
 * the amount of the other payment, and the poll that is then due finds that the rail has too much.
 */
async function compareOther(
  deps: PageDependencies,
  payin: Payin,
  railPaymentId: string,
  { status, amount, currency }: Payment,
): Promise<Result> {
  const { payinId, rail, otherPayments } = payin;
  const has = status === 'COMPLETED' ? plainDecimal(amount) : undefined;
  if (has === otherPayments?.[railPaymentId]) return 'AGREES';
  if (has !== undefined) log.error('REFERENCE_USED_TWICE', { payinId, rail, railPaymentId });
  if (currency !== payin.currency) return 'WRONG';
  await deps.recordOtherPayment(payin, { railPaymentId, amount: has }, deps.clock.now().toISOString());
  return 'POLLED';
}

/** Handles a listed payment without a pay-in. */
function compareWithNone(
  about: { readonly payinId: string; readonly rail: string },
  payment: Payment | undefined,
  isRecent: boolean,
): Result {
  if (payment === undefined) {
    const cause = 'A listed payment without a pay-in: there may be money.';
    log.error('PAYMENT_UNREADABLE', { ...about, cause });
    return 'WRONG';
  }
  if (payment.status !== 'COMPLETED') return 'AGREES';
  if (isRecent) log.error('PAYIN_UNKNOWN', about);
  return 'WRONG';
}

/** True if the payment is new since the last pass, so that the same money does not raise an alarm every day. */
function isNew(paidAt: string | undefined, doneFrom: string): boolean {
  return paidAt === undefined || Date.parse(paidAt) >= Date.parse(doneFrom) - DAY;
}
