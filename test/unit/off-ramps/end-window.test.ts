import { describe, expect, test } from 'vitest';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION, USER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, OTHER_HASH, offRamp } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';

const FIRST = { operationId: OPERATION, attempt: 1, windowStartsAt: CREATED_AT };
const LAST_POLL = { lastCheckedAt: EXPIRES_AT, mismatch: { reason: 'NOT_FOUND' } } as const;

/** An operation with the hash that it reported at noon. */
async function world() {
  const offRamps = offRampsInMemory(fakeClock(CREATED_AT), offRamp());
  await offRamps.beginAttempt(await offRamps.kept(), { txHash: HASH, windowEndsAt: EXPIRES_AT });
  const before = offRamps.told().length;
  return { ...offRamps, toldSince: () => offRamps.told().slice(before) };
}

describe('decisions 4, end of the window: the last poll of an attempt', () => {
  test('ends the attempt, keeps the reason, and tells the client', async () => {
    const { endWindow, kept, toldSince } = await world();
    expect(await endWindow(FIRST, LAST_POLL)).toBe(true);
    const { operation, verification } = await kept();
    expect(operation).toMatchObject({ status: 'AWAITING_DEPOSIT', sequence: 3 });
    expect(verification).toMatchObject({ reason: 'NOT_FOUND', lastCheckedAt: EXPIRES_AT });
    expect(verification).not.toHaveProperty('nextCheckAt');
    expect(toldSince()).toMatchObject([
      {
        type: 'ramp.deposit_hash.window_ended',
        data: {
          operationId: OPERATION,
          userId: USER,
          attempt: 1,
          txHash: HASH,
          reason: 'NOT_FOUND',
          windowEndsAt: EXPIRES_AT,
          status: 'VERIFYING',
          previousStatus: 'VERIFYING',
          sequence: 3,
        },
      },
    ]);
  });

  test('is reported once, however often it is repeated', async () => {
    const { endWindow, toldSince } = await world();
    expect(await Promise.all([endWindow(FIRST, LAST_POLL), endWindow(FIRST, LAST_POLL)])).toContain(false);
    expect(await endWindow(FIRST, LAST_POLL)).toBe(false);
    expect(toldSince()).toHaveLength(1);
  });

  test('of an attempt that was superseded ends nothing', async () => {
    const { beginAttempt, endWindow, kept, current, toldSince } = await world();
    await beginAttempt(await kept(), { txHash: OTHER_HASH, windowEndsAt: EXPIRES_AT });
    expect(await endWindow(FIRST, LAST_POLL)).toBe(false);
    expect([(await current()).nextCheckAt, toldSince()]).toEqual([CREATED_AT, []]);
  });

  test('of an attempt that a restore undid ends nothing of the next one of its number', async () => {
    const { endWindow, current, toldSince } = await world();
    expect(await endWindow({ ...FIRST, windowStartsAt: '2026-08-01T11:00:00.000Z' }, LAST_POLL)).toBe(false);
    expect([(await current()).nextCheckAt, toldSince()]).toEqual([CREATED_AT, []]);
  });

  test('of an operation that awaits no deposit any more ends nothing', async () => {
    const { endWindow, change, toldSince } = await world();
    await change({ status: 'PENDING' });
    expect(await endWindow(FIRST, LAST_POLL)).toBe(false);
    expect(toldSince()).toEqual([]);
  });

  test('of an operation that is gone ends nothing', async () => {
    const { endWindow } = await world();
    expect(await endWindow({ ...FIRST, operationId: USER }, LAST_POLL)).toBe(false);
  });
});
