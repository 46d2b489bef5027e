import type { Random } from '#test/simulation/kernel/random.ts';

/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** The start of a round, in milliseconds since 1970. */
export const START = Date.parse('2026-08-03T12:00:00.000Z');

/** Milliseconds after which every read sees what operators have put into the tables. */
export const OPENING = 10 * SECOND;

/** Milliseconds of an off-ramp's window, with the stage's settings. */
const WINDOW = 24 * HOUR;

/** The same for short-lived off-ramps: an unpaid one ends before the separate window of a late submission. */
const SHORT_WINDOW = 10 * MINUTE;
const SHORT_HOURS = 0.5;

export const shortLived = {
  WINDOW_SECONDS: String(SHORT_WINDOW / SECOND),
  ENDS_AFTER_HOURS: String(SHORT_HOURS),
} as const;

/** Milliseconds after the creation: soon and, in some rounds, relative to the end of the window. */
const SOON = [5 * SECOND, 5 * SECOND, 8 * SECOND, 25 * SECOND, 70 * SECOND, 4 * MINUTE, HOUR] as const;
const LATE = [-2 * SECOND, 0, SECOND, 20 * MINUTE, 2 * HOUR] as const;

/** Draws times since a creation, most of them close together, so that acts collide. */
export function writeMoments(random: Random, isShortLived: boolean): () => number {
  const lateness = random.chance(isShortLived ? 0.7 : 0.2) ? 0.3 : 0;
  const window = isShortLived ? SHORT_WINDOW : WINDOW;
  const any = () => (random.chance(lateness) ? window + random.pick(LATE) : random.pick(SOON));
  const hot = any();
  return () => Math.max(0, (random.chance(0.6) ? hot : any()) + random.below(2 * SECOND) - SECOND);
}
