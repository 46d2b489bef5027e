import type { Clock } from '#shared/platform/clock.ts';
import { retry } from '#shared/platform/retry.ts';

const TRIES = 5;
/** Milliseconds. */
const FIRST_PAUSE = 1000;

/**
 * Does it again, for up to 15 seconds, while the function may not: it is called right after its role was made, of which
 * not all of AWS has heard by then.
 */
export function retryWhileDenied(work: () => Promise<void>, clock: Clock): Promise<void> {
  return retry(work, {
    clock,
    when: (error) => error instanceof Error && error.name === 'AccessDeniedException',
    pause: (failed) => FIRST_PAUSE * 2 ** (failed - 1),
    tries: TRIES,
  });
}
