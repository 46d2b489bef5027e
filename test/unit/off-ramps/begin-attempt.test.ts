import { describe, expect, test } from 'vitest';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, OTHER_HASH, offRamp, verification } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';

const REPORT = { txHash: HASH, windowEndsAt: EXPIRES_AT };

const world = (differences = {}) => offRampsInMemory(fakeClock(CREATED_AT), offRamp(differences));

describe('decisions 4, resubmitting: an operation has at most 100 attempts', () => {
  test('the hundredth begins', async () => {
    const { beginAttempt, kept } = world({ attempt: 99 });
    expect(await beginAttempt(await kept(), REPORT)).toMatchObject({ attempt: 100 });
  });

  test('one more is refused, and nothing is written', async () => {
    const { beginAttempt, kept, writes } = world({ attempt: 100 });
    await expect(beginAttempt(await kept(), REPORT)).rejects.toThrow('TOO_MANY_ATTEMPTS');
    expect(writes()).toBe(0);
  });
});

describe('decisions 4, writing an operation: an attempt', () => {
  test('that was decided on an outdated operation has to be decided again, whatever else refuses it', async () => {
    const { beginAttempt, change, claim, kept } = world();
    const seen = await kept();
    await change({});
    claim('DECLARED', HASH, STRANGER);
    claim('FUNDED', HASH, STRANGER);
    await expect(beginAttempt(seen, REPORT)).rejects.toThrow(WriteConflict);
  });

  test('releases no hash that another operation holds', async () => {
    const { beginAttempt, claim, findClaimant, kept } = world({ attempt: 1, txHash: OTHER_HASH });
    claim('DECLARED', OTHER_HASH, STRANGER);
    await expect(beginAttempt(await kept(), REPORT)).rejects.toThrow(WriteConflict);
    expect(await findClaimant('DECLARED', OTHER_HASH)).toBe(STRANGER);
    expect(await findClaimant('DECLARED', HASH)).toBeUndefined();
  });
});

describe('decisions 9, polls: an attempt that follows another one', () => {
  const CORRECTION = { txHash: OTHER_HASH, windowEndsAt: EXPIRES_AT };
  const LATER = '2026-08-01T12:03:00.000Z';

  test('keeps a summary of the earlier ones, and begins with no poll of its own', async () => {
    const { beginAttempt, verifications, kept, current } = world();
    const first = await beginAttempt(await kept(), REPORT);
    const poll = { lastCheckedAt: CREATED_AT, mismatch: { reason: 'WRONG_AMOUNT' } } as const;
    await verifications.recordPoll(first, { ...poll, nextCheckAt: LATER });
    const second = await beginAttempt(await kept(), CORRECTION);
    expect(second.earlierAttempts).toEqual([[1, HASH, 'SUPERSEDED', CREATED_AT, 'WRONG_AMOUNT']]);
    await verifications.recordPoll(second, { ...poll, nextCheckAt: undefined });
    await beginAttempt(await kept(), REPORT);
    const { polls, earlierAttempts } = await current();
    expect(polls).toBeUndefined();
    expect(earlierAttempts).toEqual([
      [1, HASH, 'SUPERSEDED', CREATED_AT, 'WRONG_AMOUNT'],
      [2, OTHER_HASH, 'WINDOW_ENDED', CREATED_AT, 'WRONG_AMOUNT'],
    ]);
  });

  test('that was not polled has no result', async () => {
    const { beginAttempt, kept, current } = world();
    await beginAttempt(await kept(), REPORT);
    await beginAttempt(await kept(), CORRECTION);
    expect((await current()).earlierAttempts).toEqual([[1, HASH, 'SUPERSEDED']]);
  });

  test('is decided again when the operation and its verification were read half written', async () => {
    const { beginAttempt, putVerification, kept, current } = world({ attempt: 2, txHash: HASH });
    putVerification(verification());
    const half = await kept();
    putVerification(verification({ attempt: 2 }));
    await expect(beginAttempt(half, CORRECTION)).rejects.toThrow(WriteConflict);
    expect(await current()).toMatchObject({ attempt: 2 });
  });

  test.each([
    ['the operation', 2, 1],
    ['the verification', 1, 2],
  ])('begins where a restore has the last submission in %s only', async (_, attempt, verified) => {
    const { beginAttempt, putVerification, kept, current } = world({ attempt, txHash: HASH });
    putVerification(verification({ attempt: verified }));
    expect(await beginAttempt(await kept(), CORRECTION)).toMatchObject({ attempt: 3 });
    expect(await current()).toMatchObject({ attempt: 3, txHash: OTHER_HASH });
    expect((await kept()).operation.attempt).toBe(3);
  });
});
