import type { Clock } from '#shared/platform/clock.ts';
import { type Payment, type PaymentRail, PaymentUnreadable, payment, RailUnavailable } from './payment-rail.ts';

/** Milliseconds: both together leave a function of 25 seconds the time to record the result. */
const LONGEST_LOOK_UP = 3000;
const LONGEST_ORDER = 8000;

type Asked = Pick<PaymentRail, 'find' | 'order'>;

/**
 * The boundary of every rail (decisions.md 12, Boundary). Without an answer in time the outcome is unknown, and the
 * caller goes on. An answer that is not a payment of that reference is unknown, too: nothing of it is stored.
 */
export function railBoundary({ find, order }: Asked, clock: Clock): Asked {
  return {
    find: async (reference) => {
      const found = await inTime(find(reference), LONGEST_LOOK_UP, clock);
      return found === undefined ? undefined : readable(found, reference);
    },
    order: async (ordered) => readable(await inTime(order(ordered), LONGEST_ORDER, clock), ordered.payin.payinId),
  };
}

function readable(answer: Payment, reference: string): Payment {
  const read = payment.safeParse(answer);
  if (!read.success) {
    const wrong = read.error.issues.map(({ path, code }) => `${path.join('.') || 'answer'}: ${code}`);
    throw new PaymentUnreadable(wrong.join(', '));
  }
  if (read.data.reference !== reference) throw new PaymentUnreadable('reference: of another payment');
  return read.data;
}

async function inTime<Answer>(asked: Promise<Answer>, milliseconds: number, clock: Clock): Promise<Answer> {
  let cancel = () => {};
  const late = new Promise<never>((_, reject) => {
    cancel = clock.after(milliseconds, () => reject(new RailUnavailable(`No answer in ${milliseconds} ms.`)));
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    cancel();
  }
}
