import type { Clock } from './clock.ts';

interface Pace {
  readonly clock: Clock;
  /** Milliseconds before the next try, after so many have failed. */
  readonly pause: (failed: number) => number;
}

interface Patience extends Pace {
  /** Whether a failure is one that passes by itself, so that the same again may succeed. */
  readonly when: (error: unknown) => boolean;
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

/** Does the work again, with a pause in between, for what it has left of the items. Returns what it leaves in the end. */
export async function retryRest<Item>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Item[]>,
  { clock, pause, tries }: Pace & { readonly tries: number },
): Promise<readonly Item[]> {
  let left = items;
  for (let made = 0; left.length > 0 && made < tries; made += 1) {
    if (made > 0) await clock.sleep(pause(made));
    left = await work(left);
  }
  return left;
}
