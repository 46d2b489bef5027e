import { setTimeout as sleep } from 'node:timers/promises';

/** Calls that may be under way at the same time: a caller that never waited would measure its own computer. */
const MOST_AT_ONCE = 60;

/** Answers by their status, and how many calls were made in a second. */
interface Tally {
  readonly statuses: Readonly<Record<number, number>>;
  readonly perSecond: number;
}

/** Calls at a steady pace, whatever the answers, while the work is done. */
export async function whileFlooded(
  perSecond: number,
  call: () => Promise<{ readonly status: number }>,
  work: () => Promise<void>,
): Promise<Tally> {
  const statuses: Record<number, number> = {};
  const underWay = new Set<Promise<void>>();
  const startedAt = Date.now();
  let made = 0;
  let isOver = false;
  const send = async () => {
    const { status } = await call();
    statuses[status] = (statuses[status] ?? 0) + 1;
  };
  const flooding = (async () => {
    while (!isOver) {
      const due = Math.floor(((Date.now() - startedAt) * perSecond) / 1000);
      for (; made < due && underWay.size < MOST_AT_ONCE; made += 1) {
        const one = send();
        underWay.add(one);
        void one.finally(() => underWay.delete(one)).catch(() => undefined);
      }
      await sleep(10);
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await flooding;
  }
  const tally = { statuses, perSecond: (made * 1000) / (Date.now() - startedAt) };
  await Promise.all(underWay);
  return tally;
}
