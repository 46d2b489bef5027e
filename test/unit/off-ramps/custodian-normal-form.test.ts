import { describe, expect, test } from 'vitest';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { readNotifications } from '#shared/off-ramps/custodians/read-notification.ts';
import { depositIdOf } from '#shared/off-ramps/model/deposit.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { HASH, onEveryNetwork, transfer } from '#test/support/off-ramp.ts';

const query = { network: 'ETHEREUM', txHash: HASH, since: '2026-08-01T12:00:00.000Z' } as const;
const notification = { rawBody: Buffer.from('{}'), headers: new Map<string, string>(), query: {} };
const UPPER_CASE = `0x${HASH.slice(2).toUpperCase()}`;
const TRON_HASH = HASH.slice(2);

const found = (told: CustodianTransfer, about: Partial<typeof told> = {}) => {
  const custodian = { name: 'one', findTransfers: async () => [told] };
  return createFindTransfers(onEveryNetwork(custodian), systemClock)({ ...query, ...about });
};
const notified = (...given: readonly unknown[]) =>
  readNotifications({ name: 'one', readNotification: async () => JSON.parse(JSON.stringify(given)) }, notification);

const custodianTransferId = 'one:transfer-1';

describe('decisions 4, unique hash: a custodian’s transfer has the hash that a client would declare', () => {
  test.each([
    ['ETHEREUM', UPPER_CASE, HASH],
    ['ETHEREUM', `${HASH}\n`, HASH],
    ['ETHEREUM', HASH, HASH],
    ['TRON', TRON_HASH.toUpperCase(), TRON_HASH],
  ] as const)('on %s, told as %s', async (network, txHash, normal) => {
    const told = transfer({ network, txHash });
    const about = { network, txHash: normal };
    expect(await found(told, about)).toEqual([transfer({ custodianTransferId, ...about })]);
    expect(await notified(told)).toEqual([{ custodianTransferId, network, txHash: normal }]);
  });

  test.each(['', TRON_HASH, 'pending'])('a transfer without a valid hash is no deposit: %j', async (txHash) => {
    const { network } = query;
    const unreadable = { custodianTransferId, state: 'UNREADABLE', unreadableFields: 'txHash' };
    expect(await found(transfer({ txHash }))).toEqual([{ ...unreadable, network, txHash: HASH }]);
    expect(await notified(transfer({ txHash }))).toMatchObject([{ custodianTransferId, unreadableFields: 'txHash' }]);
  });

  test('decisions 12, notifications: transfers that are named without an id, or by their id alone, are kept as such, in their order', async () => {
    const { network, txHash } = query;
    const named = [{ network, txHash: UPPER_CASE }, { custodianTransferId: 'transfer-1' }, transfer()];
    expect(await notified(...named)).toEqual([
      { network, txHash },
      { custodianTransferId },
      { custodianTransferId, network, txHash },
    ]);
    expect(await notified()).toEqual([]);
  });
});

describe('decisions 12, boundary: an adapter’s answer is parsed before anything is stored', () => {
  const answered = (...given: readonly unknown[]) =>
    createFindTransfers(
      onEveryNetwork({ name: 'one', findTransfers: async () => JSON.parse(JSON.stringify(given)) }),
      systemClock,
    )(query);

  test.each([
    ['a number for a text', { amount: 100.5 }, 'amount'],
    ['a text for a number', { confirmations: '64' }, 'confirmations'],
    ['none of what has to be there', { createdAt: undefined, state: undefined }, 'state createdAt'],
    ['nothing for a text', { fromAddress: null }, 'fromAddress'],
    ['a state of its own', { state: 'COMPLETED' }, 'state'],
    ['a network of its own', { network: 'DOGE' }, 'network'],
  ])('%s hides no other transfer of the transaction', async (_, wrong, unreadableFields) => {
    const [one, other] = await answered({ ...transfer(), ...wrong }, transfer({ custodianTransferId: 'transfer-2' }));
    const { network, txHash } = query;
    expect(one).toEqual({ custodianTransferId, network, txHash, state: 'UNREADABLE', unreadableFields });
    expect(other).toEqual(transfer({ custodianTransferId: 'one:transfer-2' }));
  });

  test.each(['1e+3', '.5e3', '1000.', '+1000', '1,000.5', '-100', '', ' 1', '0x10', 'NaN', '9'.repeat(79)])(
    'an amount that is no plain decimal is unreadable: %j',
    async (amount) => {
      expect(await answered(transfer({ amount }))).toMatchObject([{ state: 'UNREADABLE', unreadableFields: 'amount' }]);
    },
  );

  test.each([
    ['100.5000000000000000000', '100.5'],
    ['0', '0'],
    ['0.00', '0'],
    ['0100.50', '100.5'],
    [`${'9'.repeat(78)}.${'1'.repeat(78)}`, `${'9'.repeat(78)}.${'1'.repeat(78)}`],
  ])('an amount of %s is %s: zeros at the end are no places', async (amount, read) => {
    expect(await answered(transfer({ amount }))).toEqual([transfer({ custodianTransferId, amount: read })]);
  });

  test.each([null, 'transfer', {}, { custodianTransferId: 7 }])(
    'an entry that does not say which transfer it is gets a stable id: %j',
    async (given) => {
      const [unreadable] = await answered(given);
      expect(unreadable).toMatchObject({
        custodianTransferId: `one:without-id:ETHEREUM:${HASH}`,
        state: 'UNREADABLE',
      });
      expect(await answered(given)).toEqual([unreadable]);
    },
  );

  test('the readable part of a notification is used', async () => {
    const { createdAt } = transfer();
    expect(await notified({ ...transfer(), network: 'DOGE' }, { network: 'ETHEREUM' }, null)).toEqual([
      { custodianTransferId, unreadableFields: 'network', unknownNetwork: 'DOGE', createdAt },
      { unreadableFields: 'custodianTransferId txHash' },
      { unreadableFields: 'everything' },
    ]);
  });
});

test('decisions 9, reading: equal ids of two custodians are two deposits', async () => {
  const answers = ['one', 'other'].map((name) => ({ name, findTransfers: async () => [transfer()] }));
  const transfers = await Promise.all(
    answers.map((custodian) => createFindTransfers(onEveryNetwork(custodian), systemClock)(query)),
  );
  const ids = transfers.flat().map((one) => one.custodianTransferId);
  expect(ids).toEqual(['one:transfer-1', 'other:transfer-1']);
  expect(new Set(ids.map(depositIdOf)).size).toBe(2);
});
