import { describe, expect, test } from 'vitest';
import { awaitedDepositKey, depositKeysOf } from '#shared/off-ramps/deposit-key.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import { createOffRampStore, createUserOffRamps } from '#shared/off-ramps/off-ramp-store.ts';
import { dynamoThat } from '#test/support/dynamo-that.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION, STRANGER, USER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, offRamp, transfer, verification } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

const idOf = (place: number) => `11111111-1111-4111-8111-${String(place).padStart(12, '0')}`;
const atMinute = (minute: number) => new Date(Date.parse(CREATED_AT) + minute * 60_000).toISOString();
const KEY = awaitedDepositKey(offRamp());

describe('decisions 4, detected without a report: the operations that await a deposit', () => {
  test('are those with one of its keys, oldest first', async () => {
    const other = offRamp({ operationId: idOf(9), amount: '7', createdAt: atMinute(1) });
    const { operations } = offRampsInMemory(
      fakeClock(CREATED_AT),
      offRamp({ operationId: idOf(1), createdAt: atMinute(2) }),
      offRamp({ operationId: idOf(2), createdAt: atMinute(0) }),
      other,
    );
    expect(await operations.idsAwaiting(depositKeysOf(transfer()))).toEqual([idOf(2), idOf(1)]);
    expect(await operations.idsAwaiting([KEY, awaitedDepositKey(other)])).toEqual([idOf(2), idOf(9), idOf(1)]);
  });

  test('are no more than 100 for each key, the oldest', async () => {
    const many = Array.from({ length: 103 }, (_, place) =>
      offRamp({ operationId: idOf(place), createdAt: atMinute(200 - place) }),
    );
    const { operations } = offRampsInMemory(fakeClock(CREATED_AT), ...many);
    const oldest = many.toReversed().map(({ operationId }) => operationId);
    expect(await operations.idsAwaiting([KEY])).toEqual(oldest.slice(0, 100));
  });

  test('are those that still do: one is among them from its creation to its deposit or its end', async () => {
    const { create, confirmDeposit, endOperation, kept, operations } = offRampsInMemory(fakeClock(CREATED_AT));
    await create(offRamp());
    await create(offRamp({ operationId: idOf(1) }));
    expect(await operations.idsAwaiting([KEY])).toHaveLength(2);
    await endOperation((await kept(idOf(1))).operation, { status: 'CANCELLED' });
    expect(await operations.idsAwaiting([KEY])).toEqual([OPERATION]);
    await confirmDeposit(OPERATION, transfer());
    expect(await operations.idsAwaiting([KEY])).toEqual([]);
  });
});

describe('an operation', () => {
  test('is read with its current verification, and with none before it has one', async () => {
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
    const { client } = dynamoThat(async () => ({ Item, Items: [Item] }));
    const operations = createOffRampStore(client, TABLES.operations);
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
    return { mine, ...createUserOffRamps(dynamo, TABLES.operations, clock) };
  };

  test('are listed newest first, from the one after the given', async () => {
    const { listIds, mine } = world();
    const listed = async (after?: OffRamp) => {
      const found: string[] = [];
      for await (const id of listIds({ userId: USER }, after)) found.push(id);
      return found;
    };
    expect(await listed()).toEqual([idOf(3), idOf(2), idOf(1)]);
    expect(await listed(mine[2])).toEqual([idOf(2), idOf(1)]);
  });

  test('are read in the order of their ids; one that is gone is none', async () => {
    const { getAll, mine } = world();
    expect(await getAll([idOf(2), idOf(7), idOf(1)])).toEqual([mine[1], undefined, mine[0]]);
  });
});
