import type { Clock } from '#shared/runtime/clock.ts';

export interface FakeClock extends Clock {
  /** Milliseconds slept, in order. */
  readonly pauses: readonly number[];
  set(instant: string): void;
  advance(seconds: number): void;
}

/** A clock that moves only when it is told to, or when somebody sleeps. */
export function fakeClock(start: string, random: () => number = () => 0.5): FakeClock {
  let time = Date.parse(start);
  const pauses: number[] = [];
  return {
    pauses,
    now: () => new Date(time),
    random,
    sleep: async (duration) => {
      pauses.push(duration);
      time += duration;
    },
    set: (instant) => {
      time = Date.parse(instant);
    },
    advance: (seconds) => {
      time += seconds * 1000;
    },
  };
}
