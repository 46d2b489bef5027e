/**
 * Time and randomness, passed in so that tests can control them. The client has its own, to import nothing of the
 * service.
 */
export interface Clock {
  now(): Date;
  /** Milliseconds. */
  sleep(duration: number): Promise<void>;
  /** At least 0, below 1. */
  random(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (duration) => new Promise((resolve) => setTimeout(resolve, duration)),
  random: Math.random,
};
