import { describe, expect, test } from 'vitest';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import { ConflictPersists, retryOnConflict, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';

const START = '2026-08-01T12:00:00.000Z';

/** A decision that loses this many conditional writes and then wins one. */
function losing(times: number) {
  let made = 0;
  return {
    count: () => made,
    decide: async () => {
      made += 1;
      if (made <= times) throw new WriteConflict('lost');
      return `decision ${made}`;
    },
  };
}

describe('decisions 4, writing an operation', () => {
  test('a write that is won at once is decided once', async () => {
    const clock = fakeClock(START);
    const decision = losing(0);
    expect(await retryOnConflict(clock, decision.decide)).toBe('decision 1');
    expect(clock.pauses).toEqual([]);
  });

  test('the pauses are jittered, so that two losers do not meet again', async () => {
    const pauses = async (random: number) => {
      const clock = fakeClock(START, () => random);
      await retryOnConflict(clock, losing(1).decide);
      return clock.pauses[0] ?? 0;
    };
    const [shortest, longest] = [await pauses(0), await pauses(0.999)];
    expect(shortest).toBeGreaterThan(0);
    expect(longest).toBeGreaterThan(shortest);
    expect(longest).toBeLessThan(500);
  });

  test.each([0, 0.5, 0.999])('after 3 seconds of conflicts (random %d) it is given up', async (random) => {
    const clock = fakeClock(START, () => random);
    const decision = losing(Number.POSITIVE_INFINITY);
    await expect(retryOnConflict(clock, decision.decide)).rejects.toThrow(ConflictPersists);
    const waited = clock.now().getTime() - Date.parse(START);
    expect(waited).toBeGreaterThanOrEqual(3000);
    expect(waited).toBeLessThan(3300);
    expect(decision.count()).toBe(clock.pauses.length + 1);
  });

  test('a decision that takes long is not cut off, but not repeated after the 3 seconds', async () => {
    const clock = fakeClock(START);
    let made = 0;
    const decision = retryOnConflict(clock, async () => {
      made += 1;
      clock.advance(4);
      throw new WriteConflict('lost');
    });
    await expect(decision).rejects.toThrow(ConflictPersists);
    expect(made).toBe(1);
  });

  test.each([
    new ApiError(offRampErrors.TX_HASH_ALREADY_DECLARED),
    new Error('DynamoDB is down'),
    Object.assign(new Error('lost'), { name: 'TransactionConflict' }),
  ])('nothing but a lost write is decided again: %s', async (failure) => {
    const clock = fakeClock(START);
    const decision = retryOnConflict(clock, async () => {
      throw failure;
    });
    await expect(decision).rejects.toBe(failure);
    expect(clock.pauses).toEqual([]);
  });
});
