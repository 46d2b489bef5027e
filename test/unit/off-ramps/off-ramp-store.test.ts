import { describe, expect, test } from 'vitest';
import { createListedOffRamps, createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { fakeDynamo } from '#test/support/fake-dynamo.ts';
import { OPERATION, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, offRamp, verification } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

const idOf = (place: number) => `11111111-1111-4111-8111-${String(place).padStart(12, '0')}`;
const atMinute = (minute: number) => new Date(Date.parse(CREATED_AT) + minute * 60_000).toISOString();

describe('an operation', () => {
  test('is read with its current verification, or without one if it has none yet', async () => {
    const { kept, beginAttempt, operations } = offRampsInMemory(fakeClock(CREATED_AT), offRamp());
    expect(await kept()).toEqual({ operation: offRamp(), verification: undefined });
    await beginAttempt(await kept(), { txHash: HASH, windowEndsAt: EXPIRES_AT });
    const operation = offRamp({ txHash: HASH, attempt: 1, sequence: 2 });
    expect(await kept()).toEqual({ operation, verification: verification() });
    expect(await operations.find(OPERATION)).toEqual(operation);
    expect(await operations.findWithVerification(idOf(1))).toBeUndefined();
  });

  test('that is not funded from an external wallet is no off-ramp', async () => {
    const { originExternalWalletId: _, ...funded } = offRamp();
    const Item = { ...funded, record: 'OPERATION' };
    const { client } = fakeDynamo(async () => ({ Item, Items: [Item] }));
    const operations = createOffRampRepository(client, TABLES.operations);
    expect([await operations.find(OPERATION), await operations.findWithVerification(OPERATION)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('the operations of a user', () => {
  const world = () => {
    const clock = fakeClock(CREATED_AT);
    const mine = [1, 2, 3].map((place) => offRamp({ operationId: idOf(place), createdAt: atMinute(place) }));
    const theirs = offRamp({ operationId: idOf(9), userId: STRANGER });
    const { dynamo } = offRampsInMemory(clock, ...mine, theirs);
    return { mine, ...createListedOffRamps(dynamo, TABLES.operations, clock) };
  };

  test('are read in the order of their ids; a missing one is left out', async () => {
    const { getAll, mine } = world();
    expect(await getAll([idOf(2), idOf(7), idOf(1)])).toEqual([mine[1], undefined, mine[0]]);
  });
});
