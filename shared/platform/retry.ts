import type { Clock } from './clock.ts';

/**
 * Something that fails now and may succeed a moment later. The endpoint answers 503; a queue delivers the message
 * again.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  /** Seconds before another try is worth it; absent where nobody says so. */
  readonly retryAfter: number | undefined;

  constructor(message?: string, { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options);
    this.retryAfter = retryAfter;
  }

  /** For the log: the reason, when the cause is the caller and not the service. It raises no alarm. */
  get declinedFor(): string | undefined {
    return undefined;
  }
}

/** Seconds. */
const LONGEST_PAUSE = 24 * 3600;

/** Seconds of the pause that a provider requests: at most a day, so that its mistake cannot stop money for a year. */
export function pauseOf({ retryAfter = 0 }: Unavailable): number {
  return Math.min(LONGEST_PAUSE, Math.max(0, retryAfter));
}

/** Refuses in production what depends on a simulated provider: nobody could honour it (decisions.md 5). */
export class NotHonoured extends Unavailable {
  override readonly name = 'NotHonoured';

  override get declinedFor() {
    return 'PROVIDER_SIMULATED';
  }
}

interface Pace {
  readonly clock: Clock;
  /** Milliseconds before the next try, after so many have failed. */
  readonly pause: (failed: number) => number;
}

interface RetryOptions extends Pace {
  /** Whether the failure is temporary, so that another try may succeed. */
  readonly when: (error: unknown) => boolean;
  /** The most tries, the first one included. */
  readonly tries?: number;
  /** Milliseconds from the first try on, after which no other is begun. */
  readonly timeLimit?: number;
}

/**
 * Repeats the work after a pause while it fails with a temporary error. Returns or throws what the last try did. Our own,
 * because libraries wait by the clock of the process, and a test could not pass its own.
 */
export async function retry<Result>(
  work: () => Promise<Result>,
  { clock, when, pause, tries = Number.POSITIVE_INFINITY, timeLimit = Number.POSITIVE_INFINITY }: RetryOptions,
): Promise<Result> {
  const givesUpAt = clock.now().getTime() + timeLimit;
  for (let made = 1; ; made += 1) {
    try {
      return await work();
    } catch (error) {
      if (!when(error) || made >= tries || clock.now().getTime() >= givesUpAt) throw error;
      await clock.sleep(pause(made));
    }
  }
}

/**
 * Repeats the work after a pause for the items that it returned as not done. Returns those that are not done after the
 * last try.
 */
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
