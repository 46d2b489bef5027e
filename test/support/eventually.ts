import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Reads until the value holds, and returns it; for the asynchronous work of the service. The limit is many times the
 * duration of such work on an idle machine.
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
