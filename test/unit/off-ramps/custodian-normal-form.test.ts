import { describe, expect, test } from 'vitest';
import { createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { createReadNotification } from '#shared/off-ramps/custodians/read-notification.ts';
import { depositIdOf } from '#shared/off-ramps/deposit-id.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { HASH, transfer } from '#test/support/off-ramp.ts';

const query = { network: 'ETHEREUM', txHash: HASH, since: '2026-08-01T12:00:00.000Z' } as const;
const notification = { rawBody: Buffer.from('{}'), headers: new Map<string, string>() };
const UPPER_CASE = `0x${HASH.slice(2).toUpperCase()}`;
const TRON_HASH = HASH.slice(2);

const found = (...transfers: ReturnType<typeof transfer>[]) =>
  createFindTransfers({ name: 'one', findTransfers: async () => transfers }, systemClock)(query);
const notified = (given: ReturnType<typeof transfer> | undefined) =>
  createReadNotification({ name: 'one', readNotification: async () => given })(notification);

const custodianTransferId = 'one:transfer-1';

describe('decisions 4, unique hash: what a custodian tells of has the hash that a client would declare', () => {
  test.each([
    ['ETHEREUM', UPPER_CASE, HASH],
    ['ETHEREUM', `${HASH}\n`, HASH],
    ['ETHEREUM', HASH, HASH],
    ['TRON', TRON_HASH.toUpperCase(), TRON_HASH],
  ] as const)('on %s, told as %s', async (network, txHash, normal) => {
    const told = transfer({ network, txHash });
    expect(await found(told, told)).toEqual([
      transfer({ custodianTransferId, network, txHash: normal }),
      transfer({ custodianTransferId, network, txHash: normal }),
    ]);
    expect(await notified(told)).toEqual(transfer({ custodianTransferId, network, txHash: normal }));
  });

  test('what is no hash of its network is a fault, not a deposit', async () => {
    for (const txHash of ['', TRON_HASH, 'pending']) {
      await expect(found(transfer({ txHash }))).rejects.toThrow('not a transaction hash of ETHEREUM');
      await expect(notified(transfer({ txHash }))).rejects.toThrow('not a transaction hash of ETHEREUM');
    }
  });

  test('a notification about no transfer stays one', async () => {
    expect(await notified(undefined)).toBeUndefined();
  });
});

test('decisions 9, reading: equal ids of two custodians are two deposits', async () => {
  const answers = ['one', 'other'].map((name) => ({ name, findTransfers: async () => [transfer()] }));
  const transfers = await Promise.all(answers.map((custodian) => createFindTransfers(custodian, systemClock)(query)));
  const ids = transfers.flat().map((one) => one.custodianTransferId);
  expect(ids).toEqual(['one:transfer-1', 'other:transfer-1']);
  expect(new Set(ids.map(depositIdOf)).size).toBe(2);
});
