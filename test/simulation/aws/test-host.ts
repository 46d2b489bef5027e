import { seeded } from '#test/simulation/kernel/random.ts';
import { schedule } from '#test/simulation/kernel/schedule.ts';
import type { Host, Invocation, Invoke } from './host.ts';

/** When a test begins. */
export const START = Date.parse('2026-08-01T12:00:00Z');

export interface TestHost extends Host {
  /** Seconds since the test began. */
  seconds(): number;
}

/** A host on a virtual clock, on which nothing dies; the seed decides who goes on first. */
export function createTestHost(seed = 1): TestHost {
  const random = seeded(seed);
  const own = schedule(random, { death: 0, delay: 0.2, stall: 0 }, START);
  return {
    schedule: own,
    random,
    trace: () => {},
    seconds: () => (own.clock.now().getTime() - START) / 1000,
  };
}

/** A call of a function, with what it was given. */
export interface Call<E> {
  readonly at: number;
  readonly event: E;
}

export const DONE: Invocation = { state: 'DONE', value: undefined };
export const THREW: Invocation = { state: 'THREW', error: new Error('broken') };
export const DIED: Invocation = { state: 'DIED' };
export const THROTTLED: Invocation = { state: 'THROTTLED' };

/**
 * A function that takes so many seconds, with a list of its calls.
 *
 * @param read checks what it is given
 */
export function createTestFunction<E>(
  host: TestHost,
  read: (event: unknown) => E,
  answer: (event: E, call: number) => Invocation | Promise<Invocation> = () => DONE,
  takesSeconds = 0,
): { readonly calls: readonly Call<E>[]; readonly invoke: Invoke; mostAtOnce(): number } {
  const calls: Call<E>[] = [];
  let running = 0;
  let most = 0;
  return {
    calls,
    mostAtOnce: () => most,
    async invoke(_folder, given) {
      const event = read(given);
      const call = calls.push({ at: host.seconds(), event });
      running += 1;
      most = Math.max(most, running);
      await host.schedule.clock.sleep(takesSeconds * 1000);
      running -= 1;
      return answer(event, call);
    },
  };
}
