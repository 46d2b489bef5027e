import type { Clock } from '#shared/platform/clock.ts';

/** Milliseconds. */
const STEP = 600_000;

/** Sleeps for so many milliseconds, or until the fault that it stands for is switched off, as it is in the end of a round. */
export async function sleepWhile(clock: Clock, duration: number, isFaulty: () => boolean): Promise<void> {
  for (let left = duration; left > 0 && isFaulty(); left -= STEP) await clock.sleep(Math.min(left, STEP));
}
