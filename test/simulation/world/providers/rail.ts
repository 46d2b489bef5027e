import * as z from 'zod/mini';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { type Payment, type PaymentRail, RailRejected, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import { railSpecs } from '#shared/pay-ins/rails/rail-specs.ts';
import type { Host } from '#test/simulation/aws/host.ts';
import type { Outages } from '#test/simulation/world/outages.ts';
import { createSignature } from './signature.ts';

/** Probabilities of one answer. */
export interface RailFaults {
  /** It does not do what it is asked, and does not answer. */
  readonly unavailable: number;
  /** It does it, and its answer gets lost. */
  readonly lostAnswer: number;
  /** It takes seconds. */
  readonly slow: number;
  /** It knows a payment later than it has taken it. */
  readonly lateToFind: number;
}

/** Milliseconds. */
const LONGEST_ANSWER = 12_000;
const LONGEST_TO_FIND = 60_000;
const LONGEST_TO_LINK = 2000;

/** Payers whom the rail refuses. */
export const REFUSED_PHONE = '3990000502';

export const railSignature = createSignature('rail-signature', 'rail');

const notification = z.object({ type: z.string(), reference: z.optional(z.string()) });

export function railNotification(reference: string): string {
  return JSON.stringify({ type: 'PAYMENT', reference });
}

/** A payment as the rail has it. */
export interface RailPayment {
  readonly payin: Payin;
  status: Payment['status'];
  /** In the end, what was paid. */
  amount: string;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  readonly foundFrom: number;
  readonly linkFrom: number;
}

export interface SimulatedRail extends PaymentRail {
  /** By their references. */
  readonly payments: ReadonlyMap<string, RailPayment>;
  /** Calls with each payment that the rail takes. */
  onTaken(listener: (payment: RailPayment) => void): void;
}

/** Takes every reference once, whatever becomes of its answers. */
export function createRail({ schedule, random }: Host, outages: Outages, faults: RailFaults): SimulatedRail {
  const payments = new Map<string, RailPayment>();
  const listeners: ((payment: RailPayment) => void)[] = [];
  const now = () => schedule.clock.now().getTime();

  async function answered<Answer>(work: () => Answer): Promise<Answer> {
    await schedule.turn('REQUEST');
    if (random.chance(faults.slow)) await schedule.clock.sleep(random.below(LONGEST_ANSWER));
    if (outages.isOut('rail') || random.chance(faults.unavailable)) throw new RailUnavailable('No answer.');
    const answer = work();
    await schedule.turn('ANSWER');
    if (outages.isOut('rail') || random.chance(faults.lostAnswer)) throw new RailUnavailable('The answer got lost.');
    return answer;
  }

  function take(payin: Payin): RailPayment {
    const known = payments.get(payin.payinId);
    if (known !== undefined) return known;
    if (payin.phone === REFUSED_PHONE) throw new RailRejected('The rail refuses this payer.');
    const takenAt = now();
    const payment: RailPayment = {
      payin,
      status: 'PENDING',
      amount: payin.amount,
      takenAt,
      foundFrom: takenAt + (random.chance(faults.lateToFind) ? random.below(LONGEST_TO_FIND) : 0),
      linkFrom: takenAt + random.below(LONGEST_TO_LINK),
    };
    payments.set(payin.payinId, payment);
    for (const listener of listeners) listener(payment);
    return payment;
  }

  function asPayment({ payin, status, amount, linkFrom }: RailPayment): Payment {
    const { payinId: reference, currency, paymentMethod } = payin;
    const hasLink = railSpecs[paymentMethod].hasLink && now() >= linkFrom;
    return { reference, status, amount, currency, ...(hasLink && { link: linkOf(reference) }) };
  }

  return {
    payments,
    onTaken: (listener) => listeners.push(listener),
    order: ({ payin }) => answered(() => asPayment(take(payin))),
    find: (reference) =>
      answered(() => {
        const payment = payments.get(reference);
        return payment === undefined || now() < payment.foundFrom ? undefined : asPayment(payment);
      }),
    async readNotification({ rawBody, headers }) {
      railSignature.verify(rawBody, headers);
      const { reference } = notification.parse(JSON.parse(rawBody.toString()));
      return reference === undefined ? undefined : { reference };
    },
  };
}

function linkOf(reference: string): string {
  return `https://rail.example/pay/${reference}`;
}
