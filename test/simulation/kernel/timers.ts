export interface Timer {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ring: () => void;
}

/** Timers in the order in which they ring; of two at the same time, the one that was set first. */
export function createTimers() {
  const timers: Timer[] = [];
  return {
    set(timer: Timer): void {
      // Most ring after those that there are.
      const before = timers.findLastIndex(({ at }) => at <= timer.at);
      timers.splice(before + 1, 0, timer);
    },
    remove(timer: Timer): void {
      const index = timers.indexOf(timer);
      if (index !== -1) timers.splice(index, 1);
    },
    next: (): Timer | undefined => timers[0],
    /** Takes the next one away. */
    take: (): Timer | undefined => timers.shift(),
  };
}
