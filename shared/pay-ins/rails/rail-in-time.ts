import type { Clock } from '#shared/platform/clock.ts';
import { type PaymentRail, RailUnavailable } from './payment-rail.ts';

/** Milliseconds: both together leave a function of 25 seconds the time to say what came of it. */
const LONGEST_LOOK_UP = 3000;
const LONGEST_ORDER = 8000;

type Asked = Pick<PaymentRail, 'find' | 'order'>;

/** A rail that answers in time, or whose answer is unknown: whoever asks is never stopped while it waits. */
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
