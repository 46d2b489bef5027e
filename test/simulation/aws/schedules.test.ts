import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { Invocation } from './host.ts';
import { createSchedules } from './schedules.ts';
import { createTestFunction, createTestHost, DONE, START, THREW, THROTTLED } from './test-host.ts';

const NO_FAULTS = { missed: 0, duplicate: 0, late: 0 };
const NEVER = Number.POSITIVE_INFINITY;

const scheduled = z.object({ 'detail-type': z.literal('Scheduled Event') });

interface Options {
  /** Seconds from the beginning on in which the sweep finds something. */
  readonly busyUntil?: number;
  readonly faults?: Partial<typeof NO_FAULTS>;
  readonly takesSeconds?: number;
  readonly answer?: (call: number) => Invocation;
}

function createSweep({ busyUntil = 600, faults, takesSeconds, answer = () => DONE }: Options = {}) {
  const host = createTestHost();
  const fn = createTestFunction(
    host,
    (event) => scheduled.parse(event),
    (_, call) => answer(call),
    takesSeconds,
  );
  const state = { dueAt: START };
  const idleUntil = () => (host.seconds() < busyUntil ? state.dueAt : NEVER);
  const schedules = createSchedules(host, ['sweeps/sweep'], fn.invoke, idleUntil, { ...NO_FAULTS, ...faults });
  return {
    host,
    state,
    schedules,
    times: () => fn.calls.map(({ at }) => at),
    run: () => host.schedule.run(),
    mostAtOnce: fn.mostAtOnce,
  };
}

/** Seconds between the calls. */
const gaps = (times: readonly number[]) => times.slice(1).map((at, index) => Math.round(at - (times[index] ?? 0)));

describe('a function that is called once a minute', () => {
  test('is called every minute while there is something to find, and not at the beginning of one', async () => {
    const { times, run } = createSweep();
    await run();
    expect(times()).toHaveLength(10);
    expect(new Set(gaps(times()))).toEqual(new Set([60]));
    expect((times()[0] ?? 0) % 60).not.toBe(0);
  });

  test('is called while its last call still runs', async () => {
    const { mostAtOnce, run } = createSweep({ takesSeconds: 90 });
    await run();
    expect(mostAtOnce()).toBe(2);
  });

  test('is not called again for a call that failed', async () => {
    const { times, run } = createSweep({ answer: () => THREW });
    await run();
    expect(times()).toHaveLength(10);
  });

  test('is tried again for less than a minute when it is throttled, and called once when it can run', async () => {
    const { times, run } = createSweep({ busyUntil: 60, answer: () => THROTTLED });
    await run();
    expect(times().length).toBeGreaterThan(3);
    expect(Math.max(...times()) - Math.min(...times())).toBeLessThan(60);
    const later = createSweep({ busyUntil: 60, answer: (call) => (call === 1 ? THROTTLED : DONE) });
    await later.run();
    expect(later.times()).toHaveLength(2);
  });

  test('is missed in some minutes, and called twice in others', async () => {
    const missed = createSweep({ busyUntil: 6000, faults: { missed: 0.3 } });
    await missed.run();
    expect(missed.times().length).toBeGreaterThan(50);
    expect(missed.times().length).toBeLessThan(90);
    const twice = createSweep({ busyUntil: 6000, faults: { duplicate: 0.3 } });
    await twice.run();
    expect(twice.times().length).toBeGreaterThan(110);
  });

  test('is called late in some minutes, so that two calls are closer or further apart', async () => {
    const { times, run } = createSweep({ busyUntil: 6000, faults: { late: 0.3 } });
    await run();
    expect(times()).toHaveLength(100);
    expect(Math.min(...gaps(times()))).toBeLessThan(40);
    expect(Math.max(...gaps(times()))).toBeGreaterThan(80);
  });

  test('is not called in minutes in which it would find nothing, and in time when it would again', async () => {
    const { host, state, times, run } = createSweep({ busyUntil: 20_000 });
    state.dueAt = START + 10_000_000;
    host.schedule.start('test', async () => {
      await host.schedule.clock.sleep(10_200_000);
      state.dueAt = NEVER;
    });
    await run();
    expect(times()[0]).toBeGreaterThanOrEqual(10_000);
    expect(times()[0]).toBeLessThanOrEqual(10_060);
    expect(new Set(gaps(times()))).toEqual(new Set([60]));
    expect(times().at(-1)).toBeLessThanOrEqual(10_200);
  });

  test('is called once in a minute, however often something has changed before', async () => {
    const { host, state, schedules, times, run } = createSweep({ busyUntil: 20_000 });
    state.dueAt = START + 10_000_000;
    host.schedule.start('test', async () => {
      for (let changes = 0; changes < 10; changes += 1) {
        await host.schedule.clock.sleep(100_000);
        schedules.wake();
      }
      await host.schedule.clock.sleep(9_120_000);
      state.dueAt = NEVER;
    });
    await run();
    expect(gaps(times())).toEqual([60]);
  });

  test('is called within a minute after something has changed', async () => {
    const { host, state, schedules, times, run } = createSweep({ busyUntil: 10_000 });
    state.dueAt = NEVER;
    host.schedule.start('test', async () => {
      await host.schedule.clock.sleep(5_000_000);
      state.dueAt = START + 5_000_000;
      schedules.wake();
      schedules.wake();
      await host.schedule.clock.sleep(60_000);
      state.dueAt = NEVER;
    });
    await run();
    expect(times()).toHaveLength(1);
    expect(times()[0]).toBeGreaterThanOrEqual(5000);
    expect(times()[0]).toBeLessThanOrEqual(5060);
  });
});
