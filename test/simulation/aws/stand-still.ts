import type { Host } from './host.ts';

/** Milliseconds. */
const STEP = 600_000;

/**
 * Now and then a reader stops reading, for up to this many milliseconds or until the fault is switched off at the end
 * of a round.
 */
export async function standStill(
  { schedule, random }: Host,
  faults: { readonly standstill: number },
  longest: number,
): Promise<void> {
  if (!random.chance(faults.standstill)) return;
  for (let left = random.next() * longest; left > 0 && faults.standstill > 0; left -= STEP) {
    await schedule.clock.sleep(Math.min(left, STEP));
  }
}
