import type { Ledger } from '../ledger.ts';
import type { Remains } from '../remains.ts';
import type { RequestCounts } from '../request-counts.ts';
import type { Truth } from '../truth.ts';

/** Everything that is known when a round is over. */
export interface Aftermath {
  readonly ledger: Ledger;
  readonly requests: RequestCounts;
  readonly truth: Truth;
  readonly remains: Remains;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds by which the clocks of two functions may differ. */
  readonly skew: number;
  /** Only after a restore: deposits whose sending back people have found out about, and that nobody can request again. */
  readonly writtenOff?: ReadonlySet<string>;
}

/**
 * Milliseconds by which something may be late at the end of a round, when nothing outside of the service hinders it any more:
 * a message counts as lost after five minutes, sweeps come once a minute, and some find only what is overdue.
 */
export const LATE = 20 * 60 * 1000;
