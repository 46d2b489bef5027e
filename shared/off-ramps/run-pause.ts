import type { Verification } from './operation.ts';

const MINUTE = 60_000;
const LONGEST_PAUSE = 60 * MINUTE;

/**
 * The next look of an attempt whose execution broke off, as the next run begins: 2, 4, 8 … minutes from now, at most 60.
 * The run looks at once; by this time, if it breaks off too, the one after it may begin. Never past the window's end, but
 * for a run that begins after it to make the last look.
 */
export function nextPollOfRun({ run, windowEndsAt }: Pick<Verification, 'run' | 'windowEndsAt'>, now: Date): string {
  const paused = new Date(now.getTime() + Math.min(LONGEST_PAUSE, 2 ** run * MINUTE)).toISOString();
  return now.toISOString() < windowEndsAt && windowEndsAt < paused ? windowEndsAt : paused;
}
