export interface Timer {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ring: () => void;
}

/** Timers in the order of their times; of two at the same time, the first that was set. */
export function createTimers() {
  const timers: Timer[] = [];
  return {
    set(timer: Timer): void {
      // Most timers are later than all others.
      const before = timers.findLastIndex(({ at }) => at <= timer.at);
      timers.splice(before + 1, 0, timer);
    },
    remove(timer: Timer): void {
      const index = timers.indexOf(timer);
      if (index !== -1) timers.splice(index, 1);
    },
    next: (): Timer | undefined => timers[0],
    /** Removes and returns the next timer. */
    take: (): Timer | undefined => timers.shift(),
  };
}
