import { describe, expect, test } from 'vitest';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, DEPOSIT_ADDRESS, offRamp } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';

const SECOND = '77777777-7777-4777-8777-777777777777';
const THIRD = '88888888-8888-4888-8888-888888888888';

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
});

describe('decisions 4, deposit address: the address of a new operation', () => {
  const owner = { operationId: SECOND, userId: USER, clientId: CLIENT };

  test.each(['PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const)(
    'may be that of one of the same user that is %s: its transfers are the new operation’s from then on',
    async (status) => {
      const { create, change, table } = world();
      await create(offRamp());
      await change({ status });
      expect(await create(offRamp(owner))).toBe(true);
      expect(table('hashes').items()).toEqual([{ claim: `ADDRESS#${DEPOSIT_ADDRESS}`, ...owner }]);
      expect(await create(offRamp())).toBe(false);
    },
  );

  test('is never the address of an operation that awaits its deposit: nothing is written, and a person has to look', async () => {
    const { create, count, told } = world();
    await create(offRamp());
    await expect(create(offRamp(owner))).rejects.toThrow('awaits its deposit');
    expect([count(), told().length]).toEqual([1, 1]);
  });

  test.each(['AWAITING_DEPOSIT', 'CANCELLED'] as const)(
    'is never the address of another user, whose operation is %s',
    async (status) => {
      const { create, change, count, told } = world();
      await create(offRamp());
      await change({ status });
      await expect(create(offRamp({ ...owner, userId: STRANGER }))).rejects.toThrow('belongs to another user');
      expect([count(), told().length]).toEqual([1, 1]);
    },
  );

  test('goes to one operation when two take it at once', async () => {
    const { create, change, count } = world();
    await create(offRamp());
    await change({ status: 'COMPLETED' });
    const two = [SECOND, THIRD].map((operationId) => create(offRamp({ ...owner, operationId })));
    const taken = await Promise.allSettled(two);
    expect(taken.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(count()).toBe(2);
  });
});
