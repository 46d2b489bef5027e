import type { Clock } from '#shared/platform/clock.ts';
import { requestedPause } from '#shared/platform/retry.ts';
import { RailUnavailable } from './payment-rail.ts';

/** The pauses that rails request, one per rail; kept for later calls in the same process. */
export function createRailPauses(clock: Clock) {
  /** Milliseconds since 1970. */
  const ends = new Map<string, number>();
  return {
    /** The end of the rail's pause; `undefined` if the rail may be called. */
    endOf(rail: string): string | undefined {
      const end = ends.get(rail) ?? 0;
      return clock.now().getTime() < end ? new Date(end).toISOString() : undefined;
    },

    /** Begins the pause that the rail requests by this error, if any. */
    begin(rail: string, error: unknown): void {
      if (!(error instanceof RailUnavailable) || error.retryAfter === undefined) return;
      const end = clock.now().getTime() + requestedPause(error) * 1000;
      ends.set(rail, Math.max(ends.get(rail) ?? 0, end));
    },
  };
}

export type RailPauses = ReturnType<typeof createRailPauses>;
