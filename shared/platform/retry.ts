import type { Clock } from './clock.ts';

interface Patience {
  readonly clock: Clock;
  /** Whether a failure is one that passes by itself, so that the same again may succeed. */
  readonly when: (error: unknown) => boolean;
  /** Milliseconds before the next try, after so many have failed. */
  readonly pause: (failed: number) => number;
  /** The most that are made, the first one included. */
  readonly tries?: number;
  /** Milliseconds after the beginning; from then on none is begun. */
  readonly patience?: number;
}

/** Does the work again, with a pause in between, while it fails in a way that passes by itself. Ends as the last try did. */
export async function retry<Result>(
  work: () => Promise<Result>,
  { clock, when, pause, tries = Number.POSITIVE_INFINITY, patience = Number.POSITIVE_INFINITY }: Patience,
): Promise<Result> {
  const givesUpAt = clock.now().getTime() + patience;
  for (let made = 1; ; made += 1) {
    try {
      return await work();
    } catch (error) {
      if (!when(error) || made >= tries || clock.now().getTime() >= givesUpAt) throw error;
      await clock.sleep(pause(made));
    }
  }
}
