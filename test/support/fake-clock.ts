import type { Clock } from '#shared/platform/clock.ts';

export interface FakeClock extends Clock {
  /** Milliseconds slept, in order. */
  readonly pauses: readonly number[];
  set(instant: string): void;
  advance(seconds: number): void;
}

/** A clock that moves only when it is set or advanced, or when code sleeps. */
export function fakeClock(start: string, random: () => number = () => 0.5): FakeClock {
  let time = Date.parse(start);
  const pauses: number[] = [];
  const timers = new Set<{ readonly at: number; readonly call: () => void }>();
  const moveTo = (to: number) => {
    time = to;
    for (const timer of [...timers]) {
      if (timer.at <= time && timers.delete(timer)) timer.call();
    }
  };
  return {
    pauses,
    now: () => new Date(time),
    random,
    after: (duration, call) => {
      const timer = { at: time + duration, call };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    sleep: async (duration) => {
      pauses.push(duration);
      moveTo(time + duration);
    },
    set: (instant) => {
      moveTo(Date.parse(instant));
    },
    advance: (seconds) => {
      moveTo(time + seconds * 1000);
    },
  };
}
