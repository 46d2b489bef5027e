import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Reads until what it read holds, and returns it; for what the service does in its own time. It gives up after many times
 * what that takes on a machine that is busy with nothing else.
 */
export async function eventually<T>(
  read: () => Promise<T>,
  holds: (value: T) => boolean,
  withinSeconds = 120,
): Promise<T> {
  const givesUpAt = Date.now() + withinSeconds * 1000;
  for (;;) {
    const value = await read();
    if (holds(value)) return value;
    if (Date.now() > givesUpAt)
      throw new Error(`Still not as expected after ${withinSeconds} s: ${JSON.stringify(value)}`);
    await sleep(300);
  }
}
