import { createHash } from 'node:crypto';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import type { FindPayins } from '#shared/pay-ins/pay-in-lists.ts';
import { isNews, isOtherPayment } from '#shared/pay-ins/pay-in-outcome.ts';
import type { FindPayin, PollPayinNow, RecordOther } from '#shared/pay-ins/pay-in-repository.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import type { ListedPayment } from '#shared/pay-ins/rails/rail-boundary.ts';
import { plainDecimal } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { leaveOut } from '#shared/platform/unreadable.ts';
import type { AgreedPage, ListPasses } from './list-passes.ts';

export interface PageDependencies {
  readonly passes: Pick<ListPasses, 'findAgreed' | 'saveAgreed'>;
  readonly findPayins: FindPayins;
  readonly findPayin: FindPayin;
  readonly pollPayinNow: PollPayinNow;
  readonly recordOther: RecordOther;
  readonly clock: Clock;
}

interface Page {
  readonly rail: string;
  readonly week: number;
  /** Its place in the list of its week. */
  readonly number: number;
  readonly payments: readonly ListedPayment[];
  /** When the pass before was begun. */
  readonly doneFrom: string;
}

/** Milliseconds. */
const DAY = 24 * 3600_000;

/** Milliseconds after which a page is compared though it is as it was; the books compare those of the last fifteen days. */
const AGREES_FOR = 15 * DAY;

/**
 * Makes a poll due of each pay-in of which the page says something new. A page that says what all its pay-ins agreed to
 * the last time is not compared: what changes a pay-in is said by the rail, and then its page says it, too, or the
 * pay-in is polled a day later (pay-in-poll-schedule.ts).
 *
 * @returns how many polls it made due
 */
export async function comparePage(deps: PageDependencies, page: Page): Promise<number> {
  const { passes, clock } = deps;
  const { rail, week, number } = page;
  // What has not ended at the rail is never news.
  const ended = page.payments.filter(({ payment }) => payment?.status !== 'PENDING');
  const agreed = await passes.findAgreed(rail, week, number);
  const digest = createHash('sha256').update(JSON.stringify(ended)).digest('base64url');
  if (isAsAgreed(agreed, digest, clock.now())) return 0;
  const payins = await deps.findPayins(ended.flatMap(({ reference }) => reference ?? []));
  const compared = await Promise.all(ended.map((one) => compare(deps, page, one, payins)));
  const isAgreed = compared.every((result) => result === 'AGREES');
  if (isAgreed) await passes.saveAgreed(rail, week, number, { digest, agreedAt: clock.now().toISOString() });
  // What it said before it says perhaps again, and then of pay-ins that have changed.
  else if (agreed.digest !== undefined) await passes.saveAgreed(rail, week, number, {});
  return compared.filter((result) => result === 'POLLED').length;
}

function isAsAgreed({ digest, agreedAt = '' }: AgreedPage, said: string, now: Date): boolean {
  return digest === said && now.getTime() < Date.parse(agreedAt) + AGREES_FOR;
}

type Result = 'AGREES' | 'POLLED' | 'WRONG';

async function compare(
  deps: PageDependencies,
  { rail, doneFrom }: Page,
  { reference, payment }: ListedPayment,
  payins: ReadonlyMap<string, Payin>,
): Promise<Result> {
  if (reference === undefined) {
    log.error('PAYMENT_UNREADABLE', { rail, cause: 'A listed payment has no reference.' });
    return 'WRONG';
  }
  const payin = payins.get(reference) ?? (await findUnread(deps, reference));
  if (payin === 'UNREADABLE') return 'WRONG';
  if (payin === undefined)
    return compareWithNone({ payinId: reference, rail }, payment, isNew(payment?.paidAt, doneFrom));
  if (payment !== undefined && isOtherPayment(payin, payment.railPaymentId))
    return await compareOther(deps, payin, payment.railPaymentId, payment);
  const now = deps.clock.now();
  if (payment !== undefined && !isNews(payin, payment, now)) return 'AGREES';
  await deps.pollPayinNow(payin.payinId, now.toISOString());
  return 'POLLED';
}

/**
 * With another payment than the one that completed the pay-in. Look-ups ask for that one alone: what the rail has by the
 * other one is kept in the pay-in, and the poll that is then due finds that it is too much.
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
  await deps.recordOther(payin, { railPaymentId, amount: has }, deps.clock.now().toISOString());
  return 'POLLED';
}

/** Without a pay-in. */
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

/** One that cannot be read is not among the others; it hides none that is listed after it. */
async function findUnread(
  { findPayin }: PageDependencies,
  reference: string,
): Promise<Payin | 'UNREADABLE' | undefined> {
  try {
    return await findPayin(reference);
  } catch (error) {
    leaveOut(reference)(error);
    return 'UNREADABLE';
  }
}

/** So that nobody is called again each day for the same money. */
function isNew(paidAt: string | undefined, doneFrom: string): boolean {
  return paidAt === undefined || Date.parse(paidAt) >= Date.parse(doneFrom) - DAY;
}
