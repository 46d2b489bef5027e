import type { Clock } from './clock.ts';

/**
 * A temporary failure: the same work may succeed a moment later. The endpoint answers 503; a queue delivers the message
 * again.
 */
export class Unavailable extends Error {
  override readonly name: string = 'Unavailable';
  /** Seconds to wait before another try; absent when no pause is known. */
  readonly retryAfter: number | undefined;

  constructor(message?: string, { retryAfter, ...options }: ErrorOptions & { readonly retryAfter?: number } = {}) {
    super(message, options);
    this.retryAfter = retryAfter;
  }

  /** The reason for the log, if the cause is the caller and not the service. Such a failure raises no alarm. */
  get declinedFor(): string | undefined {
    return undefined;
  }
}

/** Seconds. */
const LONGEST_PAUSE = 24 * 3600;

/** Seconds of the pause that a provider requests: at most a day, so that its mistake cannot stop money for a year. */
export function requestedPause({ retryAfter = 0 }: Unavailable): number {
  return Math.min(LONGEST_PAUSE, Math.max(0, retryAfter));
}

/** Thrown in production for work that depends on a simulated provider, which nobody could honour (decisions.md 5). */
export class ProviderSimulated extends Unavailable {
  override readonly name = 'ProviderSimulated';

  override get declinedFor() {
    return 'PROVIDER_SIMULATED';
  }
}

interface Pace {
  readonly clock: Clock;
  /** Milliseconds before the next try, by the number of failed tries. */
  readonly pause: (failed: number) => number;
}

interface RetryOptions extends Pace {
  /** True if the failure is temporary, so that another try may succeed. */
  readonly when: (error: unknown) => boolean;
  /** The most tries, the first one included. */
  readonly tries?: number;
  /** Milliseconds since the start of the first try, from which on a failed try is the last one. */
  readonly timeLimit?: number;
}

/**
 * Repeats the work after a pause while it fails with a temporary error. Returns or throws what the last try did.
 * Written by hand, because libraries use the clock of the process, and a test could not pass its own.
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
export async function retryUnfinished<Item>(
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
