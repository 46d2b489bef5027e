import type { Clock } from '#shared/platform/clock.ts';
import { retry } from '#shared/platform/retry.ts';

const TRIES = 5;
/** Milliseconds. */
const FIRST_PAUSE = 1000;

/**
 * Retries for up to 15 seconds while access is denied: the function is called right after its role was created, and IAM
 * takes some seconds to apply it everywhere.
 */
export function retryWhileDenied(work: () => Promise<void>, clock: Clock): Promise<void> {
  return retry(work, {
    clock,
    when: (error) => error instanceof Error && error.name === 'AccessDeniedException',
    pause: (failed) => FIRST_PAUSE * 2 ** (failed - 1),
    tries: TRIES,
  });
}
