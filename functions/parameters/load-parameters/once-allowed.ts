import type { Clock } from '#shared/runtime/clock.ts';

const TRIES = 5;
/** Milliseconds. */
const FIRST_PAUSE = 1000;

/**
 * Does it again, for up to 15 seconds, while the function may not: it is called right after its role was made, of which
 * not all of AWS has heard by then.
 */
export async function onceAllowed(work: () => Promise<void>, clock: Clock): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isRefused = error instanceof Error && error.name === 'AccessDeniedException';
      if (!isRefused || attempt === TRIES) throw error;
      await clock.sleep(FIRST_PAUSE * 2 ** (attempt - 1));
    }
  }
}
