import type { PaymentRail } from '#shared/pay-ins/rails/payment-rail.ts';
import { type AskWompi, type WithWompi, WompiNotFound } from '#shared/pay-ins/rails/wompi/wompi-client.ts';
import { centsOf } from '#shared/pay-ins/rails/wompi/wompi-order.ts';
import { createFindAtWompi, createListAtWompi } from '#shared/pay-ins/rails/wompi/wompi-payments.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { RailPayment } from './rail.ts';

interface WompiRecords {
  readonly clock: Clock;
  /** Transactions whose reference or id can be looked up, and those of the list. */
  readonly found: () => readonly RailPayment[];
  readonly listed: () => readonly RailPayment[];
  /** The time as of which a transaction is answered. */
  readonly saidAt: () => number;
  readonly turn: () => Promise<void>;
  readonly pageOf: number;
}

/** The service's own adapter reads these answers, in the shapes of Wompi. */
export function createWompi(records: WompiRecords): Pick<PaymentRail, 'find' | 'listPayments'> {
  const ask: AskWompi = async ({ path, query }) => {
    await records.turn();
    const at = records.saidAt();
    if (query === undefined) {
      const [one] = records.found().filter(({ id }) => path === `/transactions/${encodeURIComponent(id)}`);
      if (one === undefined) throw new WompiNotFound('404');
      return { data: transactionOf(one, at, records.clock) };
    }
    const { reference, page, from_date = '', until_date = '' } = query;
    const isAsked = (one: RailPayment) =>
      reference === undefined ? isWithin(one, from_date, until_date) : one.reference === reference;
    const all = (reference === undefined ? records.listed() : records.found()).filter(isAsked);
    const pageOf = reference === undefined ? records.pageOf : Number(query['page_size']);
    const asked = all.slice((Number(page) - 1) * pageOf, Number(page) * pageOf);
    return { data: asked.map((one) => transactionOf(one, at, records.clock)) };
  };
  const withWompi: WithWompi = (work) => work(ask, { publicKey: '', privateKey: '', integritySecret: '' });
  return { find: createFindAtWompi(withWompi, records.clock), listPayments: createListAtWompi(withWompi) };
}

function isWithin({ takenAt }: RailPayment, from: string, until: string): boolean {
  const day = new Date(takenAt).toISOString().slice(0, 10);
  return from <= day && day <= until;
}

/** The transaction as it was at a time; one that was approved can only be voided. */
export function transactionOf({ id, reference, phases, takenAt, linkFrom }: RailPayment, at: number, clock: Clock) {
  const past = phases.filter((phase) => phase.at <= at);
  const { status, amount, currency } = past.at(-1) ?? phases[0];
  const ended = past.some((phase) => phase.status === 'COMPLETED') ? 'VOIDED' : 'DECLINED';
  const hasLink = linkFrom !== undefined && clock.now().getTime() >= linkFrom;
  return {
    ...{ id, reference, currency, amount_in_cents: centsOf(amount), created_at: new Date(takenAt).toISOString() },
    status: { PENDING: 'PENDING', COMPLETED: 'APPROVED', FAILED: ended, EXPIRED: ended }[status],
    payment_method: { type: 'PSE', ...(hasLink && { extra: { async_payment_url: `https://rail.example/pay/${id}` } }) },
  };
}
