import type { Ledger } from '../ledger.ts';
import type { Remains } from '../remains.ts';
import type { RequestCounts } from '../request-counts.ts';
import type { Truth } from '../truth.ts';

/** Everything known at the end of a round. */
export interface Aftermath {
  readonly ledger: Ledger;
  readonly requests: RequestCounts;
  readonly truth: Truth;
  readonly remains: Remains;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Milliseconds by which the clocks of two functions may differ. */
  readonly skew: number;
  /** Only after a restore: deposits that people know were sent back, and whose return nobody can request again. */
  readonly writtenOff?: ReadonlySet<string>;
}

/**
 * Milliseconds by which work may be late at the end of a round, when nothing outside of the service blocks it: a
 * message counts as lost after five minutes, sweeps run once a minute, and some only find what is overdue.
 */
export const LATE = 20 * 60 * 1000;
