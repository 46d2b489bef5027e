import type { Clock } from '#shared/platform/clock.ts';
import { type PaymentRail, RailUnavailable } from './payment-rail.ts';

/** Milliseconds: both together leave a function of 25 seconds the time to record the result. */
const LONGEST_LOOK_UP = 3000;
const LONGEST_ORDER = 8000;

type Asked = Pick<PaymentRail, 'find' | 'order'>;

/**
 * A rail with a time-out: without an answer in time the outcome is unknown, and the caller is not stopped while it
 * waits.
 */
export function railInTime({ find, order }: Asked, clock: Clock): Asked {
  return {
    find: (reference) => inTime(find(reference), LONGEST_LOOK_UP, clock),
    order: (payment) => inTime(order(payment), LONGEST_ORDER, clock),
  };
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
