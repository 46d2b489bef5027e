import { describe, expect, test } from 'vitest';
import { createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { createReadNotification } from '#shared/off-ramps/custodians/read-notification.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { HASH, transfer } from '#test/support/off-ramp.ts';

const query = { network: 'ETHEREUM', txHash: HASH, since: '2026-08-01T12:00:00.000Z' } as const;
const notification = { rawBody: Buffer.from('{}'), headers: new Map<string, string>() };
const UPPER_CASE = `0x${HASH.slice(2).toUpperCase()}`;
const TRON_HASH = HASH.slice(2);

const found = (...transfers: ReturnType<typeof transfer>[]) =>
  createFindTransfers({ findTransfers: async () => transfers }, systemClock)(query);
const notified = (given: ReturnType<typeof transfer> | undefined) =>
  createReadNotification({ readNotification: async () => given })(notification);

describe('decisions 4, unique hash: what a custodian tells of has the hash that a client would declare', () => {
  test.each([
    ['ETHEREUM', UPPER_CASE, HASH],
    ['ETHEREUM', `${HASH}\n`, HASH],
    ['ETHEREUM', HASH, HASH],
    ['TRON', TRON_HASH.toUpperCase(), TRON_HASH],
  ] as const)('on %s, told as %s', async (network, txHash, normal) => {
    const told = transfer({ network, txHash });
    expect(await found(told, told)).toEqual([
      transfer({ network, txHash: normal }),
      transfer({ network, txHash: normal }),
    ]);
    expect(await notified(told)).toEqual(transfer({ network, txHash: normal }));
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
