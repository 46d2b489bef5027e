import * as z from 'zod/mini';
import {
  type FindPaymentAtRail,
  type ListPayments,
  type ListRailBanks,
  type Payment,
  PaymentUnreadable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import { plainDecimal } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { log } from '#shared/platform/logger.ts';
import { type AskWompi, type WithWompi, WompiNotFound } from './wompi-client.ts';

/** Entries of a page, at most (Wompi, API reference: `page_size`). */
export const PAGE_SIZE = 200;

/** Pages of one reference, at most. Few are expected, because Wompi takes a reference once. */
const MOST_PAGES = 5;

/** Milliseconds. */
const DAY = 24 * 3600_000;

/**
 * The statuses of transactions (Wompi, Transactions). A new one is PENDING; the others are final, except that an
 * APPROVED one may become VOIDED: the rail then has no money of it, as of one that has failed.
 */
const states: ReadonlyMap<unknown, Payment['status']> = new Map([
  ['PENDING', 'PENDING'],
  ['APPROVED', 'COMPLETED'],
  ['DECLINED', 'FAILED'],
  ['ERROR', 'FAILED'],
  ['VOIDED', 'FAILED'],
]);

/** The field of `payment_method.extra` with the payer's page, by payment method (Wompi, Payment methods). */
const links: ReadonlyMap<unknown, string> = new Map([
  ['PSE', 'async_payment_url'],
  ['DAVIPLATA', 'url'],
]);

const list = z.object({ data: z.array(z.unknown()) });

/** The fields by which one of several transactions is chosen. */
const entry = z.object({
  id: z.string().check(z.minLength(1)),
  reference: z.string(),
  status: z.string(),
  created_at: z.string(),
});

/** Converts a transaction to a payment of the port, without checks: the boundary parses the result. */
export function paymentOf(transaction: unknown): Payment {
  const { id, reference, status, status_message, amount_in_cents, currency, finalized_at, ...rest } =
    Object(transaction);
  const { type, extra } = Object(rest.payment_method);
  const link = Object(extra)[links.get(rest.payment_method_type ?? type) ?? ''] || undefined;
  const state = states.get(status) ?? status;
  return {
    reference,
    railPaymentId: id,
    status: state,
    amount: pesosOf(amount_in_cents),
    currency,
    ...(link !== undefined && { link }),
    ...(state === 'COMPLETED' && { paidAt: instant.safeParse(finalized_at).data }),
    ...(state === 'FAILED' && typeof status_message === 'string' && { failureReason: status_message }),
  };
}

/** Converts whole cents to pesos. Anything else becomes an empty text, which the boundary rejects as an amount. */
function pesosOf(cents: unknown): string {
  if (typeof cents !== 'string' || !/^\d{1,20}$/.test(cents)) return '';
  const digits = cents.padStart(3, '0');
  return plainDecimal(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Milliseconds after the last order, from which another id is looked for beside a payment that is open or gone. */
const ALONE = 3600_000;

/**
 * Looks up by Wompi's id, if it is known. If that payment has failed, stays open, or is gone, looks for another one with
 * the same reference. With a wrong key Wompi answers 404 even for the id of an existing transaction (its SDKs): only an
 * empty list of the reference proves that there is no payment, and not even that for an id that Wompi has given.
 */
export function createFindAtWompi(withWompi: WithWompi, clock: Clock): FindPaymentAtRail {
  return ({ reference, railPaymentId, orderedAt, lastOrderedAt = orderedAt }) =>
    withWompi(async (ask) => {
      const isOld = clock.now().getTime() >= Date.parse(lastOrderedAt) + ALONE;
      if (railPaymentId === undefined) return findByReference(ask, reference);
      const known = await findKnown(ask, { reference, railPaymentId, isOld });
      if (known.status === 'FAILED') return findByReference(ask, reference, known);
      const other = known.status === 'PENDING' && isOld ? await findByReference(ask, reference, known) : known;
      return other?.status === 'COMPLETED' ? other : known;
    });
}

interface Known {
  readonly reference: string;
  readonly railPaymentId: string;
  readonly isOld: boolean;
}

/**
 * Finds the payment of this id or, once a new payment must be there, another one of its reference. One that has failed
 * does not count: the payment that is gone may have been paid.
 */
async function findKnown(ask: AskWompi, { reference, railPaymentId, isOld }: Known): Promise<Payment> {
  try {
    return await findById(ask, railPaymentId);
  } catch (error) {
    if (!(isOld && error instanceof WompiNotFound)) throw error;
  }
  const left = await findByReference(ask, reference);
  if (left === undefined || left.status === 'FAILED') throw new PaymentUnreadable('id: of no transaction any more');
  return left;
}

async function findById(ask: AskWompi, id: string): Promise<Payment> {
  const { data } = Object(await ask({ path: `/transactions/${encodeURIComponent(id)}` }));
  const payment = paymentOf(data);
  if (payment.railPaymentId !== id) throw new PaymentUnreadable('id: of another transaction');
  return payment;
}

/**
 * Finds the paid transaction, else a VOIDED one, else the newest: an open one must not hide that money was taken back.
 * The transaction is read by its id, because a list may lack the payer's page.
 *
 * @param known the payment that was just read by its id
 */
export async function findByReference(ask: AskWompi, reference: string, known?: Payment): Promise<Payment | undefined> {
  const found: z.infer<typeof entry>[] = [];
  for (let page = 1, isLast = false; !isLast; page += 1) {
    if (page > MOST_PAGES) throw new PaymentUnreadable('The list of one reference does not end.');
    const entries = z.array(entry).safeParse(await readPage(ask, page, { reference }));
    if (!entries.success) throw new PaymentUnreadable('A listed transaction.');
    found.push(...entries.data);
    isLast = entries.data.length < PAGE_SIZE;
  }
  if (found.some((one) => one.reference !== reference)) throw new PaymentUnreadable('reference: of another payment');
  // After a failure the payer may try again on Wompi's page, with the same reference (Wompi, Reattempting payments).
  const payable = found.filter(({ status }) => states.get(status) !== 'FAILED');
  if (new Set(payable.map(({ id }) => id)).size > 1)
    log.error('REFERENCE_USED_TWICE', { payinId: reference, rail: 'wompi' });
  const [newest] = found.toSorted((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
  const paid = found.find(({ status }) => states.get(status) === 'COMPLETED');
  const chosen = paid ?? found.find(({ status }) => status === 'VOIDED') ?? newest;
  return chosen === undefined || chosen.id === known?.railPaymentId ? known : findById(ask, chosen.id);
}

async function readPage(
  ask: AskWompi,
  page: number,
  query: Readonly<Record<string, string>>,
): Promise<readonly unknown[]> {
  const answer = await ask({
    path: '/transactions',
    query: { ...query, page: String(page), page_size: String(PAGE_SIZE) },
  });
  const { data, error } = list.safeParse(answer);
  if (error !== undefined) throw new PaymentUnreadable('A page of the list of transactions.');
  return data.data;
}

/**
 * Lists payments in the order of their creation, so that new ones move none to a page that was already read. Wompi
 * filters by days of an unnamed time zone, so one day more is requested on either side. The cursor is the number of the
 * next page. Only an empty page is the end: Wompi may put less on a page than requested.
 */
export function createListAtWompi(withWompi: WithWompi): ListPayments {
  return ({ createdSince, until, cursor = '1' }) =>
    withWompi(async (ask) => {
      const [since, end] = [Date.parse(createdSince), Date.parse(until)];
      const days = { from_date: dayOf(since - DAY), until_date: dayOf(end + DAY) };
      const all = await readPage(ask, Number(cursor), { ...days, order_by: 'created_at', order: 'ASC' });
      const asked = all.filter((one) => {
        const at = Date.parse(Object(one).created_at);
        return !(at < since || at > end);
      });
      return { payments: asked.map(paymentOf), ...(all.length > 0 && { cursor: String(Number(cursor) + 1) }) };
    });
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The code of an entry at the head of the list that is a placeholder for forms (Wompi's clients). */
const NO_BANK = '0';

const banks = z.object({
  data: z.array(z.object({ financial_institution_code: z.string(), financial_institution_name: z.string() })),
});

export function createListBanksAtWompi(withWompi: WithWompi): ListRailBanks {
  return () =>
    withWompi(async (ask) => {
      const { data, error } = banks.safeParse(await ask({ path: '/pse/financial_institutions' }));
      if (error !== undefined) throw new PaymentUnreadable('The list of banks.');
      return data.data.flatMap(({ financial_institution_code: code, financial_institution_name: name }) =>
        code === NO_BANK ? [] : [{ code, name }],
      );
    });
}
