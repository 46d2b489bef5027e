import { type PaymentRail, RailUnavailable } from './payment-rail.ts';

/** Milliseconds: both together leave a function of 25 seconds the time to say what came of it. */
const LONGEST_LOOK_UP = 3000;
const LONGEST_ORDER = 8000;

type Asked = Pick<PaymentRail, 'find' | 'order'>;

/** A rail that answers in time, or whose answer is unknown: whoever asks is never stopped while it waits. */
export function railInTime({ find, order }: Asked): Asked {
  return {
    find: (reference) => inTime(find(reference), LONGEST_LOOK_UP),
    order: (payment) => inTime(order(payment), LONGEST_ORDER),
  };
}

async function inTime<Answer>(asked: Promise<Answer>, milliseconds: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new RailUnavailable(`No answer in ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([asked, late]);
  } finally {
    clearTimeout(timer);
  }
}
