import { describe, expect, test } from 'vitest';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, OTHER_HASH, offRamp } from '#test/support/off-ramp.ts';
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
  test('that was decided on an operation as it no longer is has to be decided again, whatever else refuses it', async () => {
    const { beginAttempt, change, claim, kept } = world();
    const seen = await kept();
    await change({});
    claim('DECLARED', HASH, STRANGER);
    claim('FUNDED', HASH, STRANGER);
    await expect(beginAttempt(seen, REPORT)).rejects.toThrow(WriteConflict);
  });

  test('gives no hash back that another operation holds', async () => {
    const { beginAttempt, claim, claimantOf, kept } = world({ attempt: 1, txHash: OTHER_HASH });
    claim('DECLARED', OTHER_HASH, STRANGER);
    await expect(beginAttempt(await kept(), REPORT)).rejects.toThrow(WriteConflict);
    expect(await claimantOf('DECLARED', OTHER_HASH)).toBe(STRANGER);
    expect(await claimantOf('DECLARED', HASH)).toBeUndefined();
  });
});
