import { expect, test } from 'vitest';
import { retry } from '#shared/platform/retry.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const START = '2026-08-01T12:00:00.000Z';

/** Work that fails this many times, on a clock of its own. */
function failing(times: number, bounds: { readonly tries?: number; readonly timeLimit?: number }) {
  const clock = fakeClock(START);
  let made = 0;
  const work = async () => {
    made += 1;
    if (made <= times) throw new Error(`failure ${made}`);
    return `try ${made}`;
  };
  const passes = (error: unknown) => error instanceof Error && error.message !== 'failure 3';
  return {
    clock,
    made: () => made,
    tried: () => retry(work, { clock, when: passes, pause: (n) => n * 100, ...bounds }),
  };
}

test('work that fails is done again, after a pause that depends on the number of failures', async () => {
  const { clock, tried } = failing(2, { tries: 9 });
  expect(await tried()).toBe('try 3');
  expect(clock.pauses).toEqual([100, 200]);
});

test('no try begins once the time limit is over', async () => {
  const { clock, tried } = failing(9, { timeLimit: 100 });
  await expect(tried()).rejects.toThrow('failure 2');
  expect(clock.pauses).toEqual([100]);
});

test('an error that is not transient is not tried again', async () => {
  const { made, tried } = failing(9, {});
  await expect(tried()).rejects.toThrow('failure 3');
  expect(made()).toBe(3);
});
