/** Time and randomness, passed in so that tests can control them. */
export interface Clock {
  now(): Date;
  /** Milliseconds. */
  sleep(duration: number): Promise<void>;
  /** Runs `call` after this many milliseconds, unless the returned function is called first. */
  after(duration: number, call: () => void): () => void;
  /** At least 0, below 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (duration) => new Promise((resolve) => setTimeout(resolve, duration)),
  after: (duration, call) => {
    const timer = setTimeout(call, duration);
    return () => clearTimeout(timer);
  },
  random: Math.random,
};

/**
 * Seconds from an instant until now, at least 0: clocks differ, and a metric with negative values has no percentiles.
 */
export function secondsSince(instant: string | number, now: Date): number {
  return Math.max(0, now.getTime() - new Date(instant).getTime()) / 1000;
}

const DAY = 24 * 3600;

/** The expiry of an item that is kept for this many days: seconds since 1970, as DynamoDB expects. */
export function expiry(now: Date, days: number): number {
  return Math.floor(now.getTime() / 1000) + days * DAY;
}
