import * as z from 'zod/mini';
import {
  type ListPayments,
  type ListRailBanks,
  type Payment,
  PaymentUnreadable,
  type SeekPayment,
} from '#shared/pay-ins/rails/payment-rail.ts';
import { plainDecimal } from '#shared/platform/amount.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { log } from '#shared/platform/logger.ts';
import type { AskWompi, WithWompi } from './wompi-client.ts';

/** Entries of a page, at most (Wompi, API reference: `page_size`). */
export const PAGE = 200;

/** Pages of one reference: Wompi takes a reference once. */
const MOST_PAGES = 5;

/** Milliseconds. */
const DAY = 24 * 3600_000;

/**
 * Wompi, Transactions. A new one is PENDING; the others are final, but that an APPROVED one may be VOIDED: then the rail
 * has nothing of it, as of one that has failed.
 */
const states: ReadonlyMap<unknown, Payment['status']> = new Map([
  ['PENDING', 'PENDING'],
  ['APPROVED', 'COMPLETED'],
  ['DECLINED', 'FAILED'],
  ['ERROR', 'FAILED'],
  ['VOIDED', 'FAILED'],
]);

/** The page of the payer by payment method, in `payment_method.extra` (Wompi, Payment methods). */
const links: ReadonlyMap<unknown, string> = new Map([
  ['PSE', 'async_payment_url'],
  ['DAVIPLATA', 'url'],
]);

const list = z.object({ data: z.array(z.unknown()) });

/** What one transaction of several is chosen by. */
const entry = z.object({
  id: z.string().check(z.minLength(1)),
  reference: z.string(),
  status: z.string(),
  created_at: z.string(),
});

/** A transaction as the port has payments. Whether that can be read is the business of the boundary. */
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

/** Pesos of whole cents; an empty text, which nobody reads as an amount, of anything else. */
function pesosOf(cents: unknown): string {
  if (typeof cents !== 'string' || !/^\d{1,20}$/.test(cents)) return '';
  const digits = cents.padStart(3, '0');
  return plainDecimal(`${digits.slice(0, -2)}.${digits.slice(-2)}`);
}

/** Milliseconds after the order, from which one that is still open may stand beside another one that is paid. */
const OPEN_ALONE = 3600_000;

/**
 * Asks by Wompi's id, if it is known. If that payment has failed, or stays open, another one with the same reference is
 * looked for. With a wrong key Wompi answers 404 even for the id of an existing transaction (its SDKs): only an empty list of the reference
 * says that there is none.
 */
export function createFindAtWompi(withWompi: WithWompi, clock: Clock): SeekPayment {
  return ({ reference, railPaymentId, orderedAt }) =>
    withWompi(async (ask) => {
      const known = railPaymentId === undefined ? undefined : await findById(ask, railPaymentId);
      if (known === undefined || known.status === 'FAILED') return findByReference(ask, reference, known);
      const isOld = clock.now().getTime() >= Date.parse(orderedAt) + OPEN_ALONE;
      const other = known.status === 'PENDING' && isOld ? await findByReference(ask, reference, known) : known;
      return other?.status === 'COMPLETED' ? other : known;
    });
}

async function findById(ask: AskWompi, id: string): Promise<Payment> {
  const { data } = Object(await ask({ path: `/transactions/${encodeURIComponent(id)}` }));
  const payment = paymentOf(data);
  if (payment.railPaymentId !== id) throw new PaymentUnreadable('id: of another transaction');
  return payment;
}

/**
 * The one that is paid, else one that was and is VOIDED, else the newest: one that is open does not hide that money went. A
 * list may lack where the payer pays.
 *
 * @param known as it was just read by its id
 */
export async function findByReference(ask: AskWompi, reference: string, known?: Payment): Promise<Payment | undefined> {
  const found: z.infer<typeof entry>[] = [];
  for (let page = 1, isLast = false; !isLast; page += 1) {
    if (page > MOST_PAGES) throw new PaymentUnreadable('The list of one reference does not end.');
    const entries = z.array(entry).safeParse(await readPage(ask, page, { reference }));
    if (!entries.success) throw new PaymentUnreadable('A listed transaction.');
    found.push(...entries.data);
    isLast = entries.data.length < PAGE;
  }
  if (found.some((one) => one.reference !== reference)) throw new PaymentUnreadable('reference: of another payment');
  // After one that has failed, the payer may try again on Wompi's page, by the same reference (Wompi, Reattempting payments).
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
  const answer = await ask({ path: '/transactions', query: { ...query, page: String(page), page_size: String(PAGE) } });
  const { data, error } = list.safeParse(answer);
  if (error !== undefined) throw new PaymentUnreadable('A page of the list of transactions.');
  return data.data;
}

/**
 * In the order of their creation, so that new ones move none to a page that was read. Wompi filters by days, of a time
 * zone that it does not name: a day more on either side is asked for. The cursor is the next page; only an empty page is
 * the end, so that none is missed where Wompi gives less on a page than it is asked for.
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

/** Stands at the head of the list, for forms (Wompi's clients). */
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
