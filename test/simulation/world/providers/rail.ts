import * as z from 'zod/mini';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { paymentMethods } from '#shared/pay-ins/payment-methods.ts';
import { type Payment, type PaymentRail, RailRejected, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { paymentOf } from '#shared/pay-ins/rails/wompi/wompi-payments.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import type { PaymentPhase, TruePayment } from '#test/simulation/books/truth.ts';
import type { RailFaults, RailManners } from './rail-faults.ts';
import { createSignature } from './signature.ts';
import { createWompi, transactionOf } from './wompi-shapes.ts';

/** Milliseconds. */
const LONGEST_ANSWER = 12_000;
const LONGEST_TO_FIND = 60_000;
const LONGEST_TO_LINK = 2000;
const STALEST = 120_000;

/** Payments per page of its list: few, so that lists have several pages. */
const PAGE = 3;

/** The phone of payers whom the rail refuses. */
export const REFUSED_PHONE = '3990000502';

/** The rail's name in the stage. */
export const RAIL = 'simulated';

export const railSignature = createSignature('rail-signature', 'rail');

const notification = z.object({ type: z.string(), reference: z.optional(z.string()) });

export function railNotification(reference: string): string {
  return JSON.stringify({ type: 'PAYMENT', reference });
}

/** A payment in the rail's own records. Times in milliseconds since 1970. */
export interface RailPayment extends TruePayment {
  /** The rail's own id. */
  readonly id: string;
  readonly phases: [PaymentPhase, ...PaymentPhase[]];
  readonly notifiedAt: number[];
  readonly takenAt: number;
  readonly foundFrom: number;
  /** When the link to pay at is there, for methods with a link. */
  readonly linkFrom?: number;
  lostAt?: number;
}

export interface SimulatedRail extends PaymentRail {
  readonly isWompi: boolean;
  /** By the rail's id: that of the ordered one is the reference. */
  readonly payments: ReadonlyMap<string, RailPayment>;
  /** The number of orders and look-ups, by reference. */
  readonly calls: ReadonlyMap<string, number>;
  /** Calls the listener with each payment that the rail takes. */
  onTaken(listener: (payment: RailPayment) => void): void;
  /** The payer begins another payment under the same reference. */
  payAgain(payment: RailPayment): RailPayment;
}

/** Takes each reference once, even if its answers are lost. */
export function createRail(
  { schedule, random, trace }: Host,
  faults: RailFaults,
  manners: Pick<RailManners, 'isWompi'>,
  pageOf = PAGE,
): SimulatedRail {
  const isWompi = manners.isWompi > 0;
  const payments = new Map<string, RailPayment>();
  const calls = new Map<string, number>();
  const listeners: ((payment: RailPayment) => void)[] = [];
  const now = () => schedule.clock.now().getTime();

  async function answered<Answer>(reference: string, work: () => Answer | Promise<Answer>): Promise<Answer> {
    calls.set(reference, (calls.get(reference) ?? 0) + 1);
    await schedule.turn('REQUEST');
    if (random.chance(faults.slow)) await schedule.clock.sleep(random.below(LONGEST_ANSWER));
    if (random.chance(faults.unavailable)) throw new RailUnavailable('No answer.');
    const answer = await work();
    await schedule.turn('ANSWER');
    if (random.chance(faults.lostAnswer)) throw new RailUnavailable('The answer got lost.');
    return answer;
  }

  function take(payin: Payin): RailPayment {
    const known = payments.get(payin.payinId);
    if (known !== undefined) return known;
    if (payin.phone === REFUSED_PHONE) throw new RailRejected('The rail refuses this payer.');
    const takenAt = now();
    const payment: RailPayment = {
      id: payin.payinId,
      reference: payin.payinId,
      payable: 1,
      phases: [{ at: takenAt, status: 'PENDING', amount: payin.amount, currency: payin.currency }],
      notifiedAt: [],
      takenAt,
      isSilent: random.chance(faults.silence),
      isUnlisted: random.chance(faults.unlisted),
      foundFrom: takenAt + (random.chance(faults.lateToFind) ? random.below(LONGEST_TO_FIND) : 0),
      ...(paymentMethods[payin.paymentMethod].hasLink && { linkFrom: takenAt + random.below(LONGEST_TO_LINK) }),
    };
    payments.set(payin.payinId, payment);
    if (random.chance(faults.stray)) {
      const { amount, currency } = payin;
      const reference = `nobody's ${payments.size}`;
      const stray = { id: reference, reference, payable: 0, isSilent: false, isUnlisted: false };
      const phases: RailPayment['phases'] = [{ at: takenAt, status: 'COMPLETED', amount, currency }];
      payments.set(stray.reference, { ...payment, ...stray, phases, notifiedAt: [] });
    }
    for (const listener of listeners) listener(payment);
    return payment;
  }

  function saidAt(): number {
    return random.chance(faults.stale) ? now() - random.below(STALEST) : now();
  }

  function asPayment(payment: RailPayment): Payment {
    if (isWompi) return paymentOf(transactionOf(payment, saidAt(), schedule.clock));
    const [{ reference, phases, linkFrom }, at] = [payment, saidAt()];
    const { status, amount, currency } = phases.findLast((phase) => phase.at <= at) ?? phases[0];
    trace(() => `rail has ${reference}: ${status}, ${amount}`);
    const hasLink = linkFrom !== undefined && now() >= linkFrom;
    return { reference, status, amount, currency, ...(hasLink && { link: linkOf(reference) }) };
  }

  // Payments that it never answers questions about are not listed either.
  const known = () => [...payments.values()].filter(({ lostAt }) => lostAt === undefined);
  const listed = () => known().filter(({ isSilent, isUnlisted }) => !isSilent && !isUnlisted);
  const found = () => known().filter(({ foundFrom }) => now() >= foundFrom);
  const turn = () => schedule.turn('REQUEST');
  const wompi = createWompi({ clock: schedule.clock, found, listed, saidAt, turn, pageOf });

  return {
    isWompi,
    payments,
    calls,
    onTaken: (listener) => listeners.push(listener),
    payAgain(first) {
      const [id, at] = [`${first.reference} again`, now()];
      const phases: RailPayment['phases'] = [{ ...first.phases[0], at }];
      const again = { ...first, id, phases, notifiedAt: [], takenAt: at, foundFrom: at };
      payments.set(id, again);
      return again;
    },
    order: ({ payin }) => answered(payin.payinId, () => asPayment(take(payin))),
    find: (sought) =>
      answered(sought.reference, () => {
        const payment = payments.get(sought.reference);
        if (payment?.isSilent === true) throw new RailUnavailable('Nothing is said of it.');
        if (isWompi) return wompi.find(sought);
        const one = found().find(({ id }) => id === sought.reference);
        return one !== undefined && !random.chance(faults.notFound) ? asPayment(one) : undefined;
      }),
    listPayments: (asked) =>
      answered('', () => {
        if (isWompi) return wompi.listPayments(asked);
        const [since, end] = [Date.parse(asked.createdSince), Date.parse(asked.until)];
        const created = listed().filter(({ takenAt }) => since <= takenAt && takenAt <= end);
        const place = Number(asked.cursor ?? '0');
        const page = created.slice(place, place + pageOf).map(asPayment);
        return { payments: page, ...(place + pageOf < created.length && { cursor: String(place + pageOf) }) };
      }),
    async readNotification({ rawBody, headers }) {
      railSignature.verify(rawBody, headers);
      const { reference } = notification.parse(JSON.parse(rawBody.toString()));
      return reference === undefined ? [] : [reference];
    },
  };
}

function linkOf(reference: string): string {
  return `https://rail.example/pay/${reference}`;
}
