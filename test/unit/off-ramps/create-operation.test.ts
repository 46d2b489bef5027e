import { describe, expect, test } from 'vitest';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, offRamp } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';

const SECOND = '77777777-7777-4777-8777-777777777777';

const world = () => offRampsInMemory(fakeClock(CREATED_AT));

describe('a new operation', () => {
  test('is put once, with its event: the same id again changes nothing', async () => {
    const { create, kept, told } = world();
    expect(await create(offRamp())).toBe(true);
    expect(await create(offRamp({ amount: '7' }))).toBe(false);
    expect((await kept()).operation).toEqual(offRamp());
    expect(told()).toMatchObject([
      {
        type: 'ramp.operation.status_changed',
        timestamp: CREATED_AT,
        data: { operationId: OPERATION, status: 'AWAITING_DEPOSIT', previousStatus: null, sequence: 1 },
      },
    ]);
  });

  test('may have the address of another operation of the same user (decisions 4, deposit address)', async () => {
    const { create, count } = world();
    await create(offRamp());
    expect(await create(offRamp({ operationId: SECOND, userId: USER }))).toBe(true);
    expect(count()).toBe(2);
  });

  test('never gets the address of another user: nothing is written, and a person has to look', async () => {
    const { create, count, told } = world();
    await create(offRamp());
    await expect(create(offRamp({ operationId: SECOND, userId: STRANGER }))).rejects.toThrow(SECOND);
    expect([count(), told().length]).toEqual([1, 1]);
  });
});
