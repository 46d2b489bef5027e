import { describe, expect, test } from 'vitest';
import { transferAttributes } from '#shared/off-ramps/model/deposit.ts';
import { createRememberSeen } from '#shared/off-ramps/store/deposit-repository.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, transfer } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const LATER = '2026-08-01T12:10:00.000Z';

function world(stored?: Readonly<Record<string, unknown>>) {
  const { dynamo, table, writes } = tablesInMemory();
  const { custodianTransferId } = transfer();
  if (stored !== undefined) table('deposits').put({ custodianTransferId, ...stored });
  return {
    writes,
    remember: createRememberSeen(dynamo, 'deposits', fakeClock(LATER)),
    kept: () => table('deposits').find({ custodianTransferId }),
  };
}

const known = {
  network: 'ETHEREUM',
  txHash: transfer().txHash,
  firstNotifiedAt: CREATED_AT,
  lastNotifiedAt: CREATED_AT,
};

describe('decisions 9: a transfer that the poll of a hash has seen', () => {
  test('becomes a deposit, with its facts, whose poll is due now', async () => {
    const { remember, kept } = world();
    await remember(transfer({ state: 'HELD' }));
    expect(kept()).toEqual({
      custodianTransferId: 'transfer-1',
      ...known,
      firstNotifiedAt: LATER,
      lastNotifiedAt: LATER,
      nextPollAt: LATER,
      dueAt: LATER,
      dueShard: expect.stringContaining('DEPOSIT'),
      ...transferAttributes(transfer({ state: 'HELD' })),
    });
  });

  test('that is known with the same facts costs no write', async () => {
    const deposit = { ...known, transfer: transfer({ state: 'HELD', confirmations: 1 }) };
    const { remember, kept, writes } = world(deposit);
    const before = writes();
    await remember(transfer({ state: 'HELD' }));
    expect(writes()).toBe(before);
    expect(kept()).toMatchObject(deposit);
  });

  test.each([{ fromAddress: '' }, { amount: '7' }, { assetId: 'X' }])(
    'with other facts than before is polled: %j',
    async (before) => {
      const { remember, kept } = world({ ...known, transfer: transfer(before) });
      await remember(transfer());
      expect(kept()).toMatchObject({ nextPollAt: LATER, dueAt: LATER, transfer: transfer(before) });
    },
  );

  test('leaves a planned poll as it is, whose message may be on its way', async () => {
    const planned = { ...known, nextPollAt: CREATED_AT, dueAt: '2026-08-01T12:05:00.000Z', dueShard: 'DEPOSIT#1' };
    const { remember, kept } = world(planned);
    await remember(transfer());
    expect(kept()).toMatchObject({ ...planned, lastNotifiedAt: LATER, ...transferAttributes(transfer()) });
  });

  test('in another state than the stored one is polled: only a poll changes the status', async () => {
    const failed = { ...known, transfer: transfer({ state: 'FAILED' }), operationId: OPERATION, sequence: 2 };
    const { remember, kept } = world(failed);
    await remember(transfer({ state: 'UNCONFIRMED' }));
    expect(kept()).toMatchObject({ ...failed, lastNotifiedAt: LATER, nextPollAt: LATER, dueAt: LATER });
  });
});
