import { describe, expect, test } from 'vitest';
import { isEvm, networks } from '#shared/networks/network.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import {
  assignedAddress,
  assignedAddressesOf,
  createFindAddressOwners,
} from '#shared/off-ramps/store/address-owners.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, DEPOSIT_ADDRESS, offRamp, transfer } from '#test/support/off-ramp.ts';
import { offRampsInMemory, TABLES } from '#test/support/off-ramps-in-memory.ts';

const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const MUXED_0 = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
const ofEvm = networks.filter((network) => isEvm(network));

const stellar = { network: 'STELLAR', address: ACCOUNT } as const;
const toAccount = { network: 'STELLAR', toAddress: ACCOUNT } as const;

describe('decisions 4, deposit address: an address belongs to one user', () => {
  test.each(ofEvm)('and one account is one address on every EVM network, in any spelling: %s', (network) => {
    const toAddress = `0x${DEPOSIT_ADDRESS.slice(2).toUpperCase()}`;
    expect(assignedAddressesOf(transfer({ network, toAddress }))).toEqual([assignedAddress(offRamp())]);
  });

  test('with its tag, however that was told', () => {
    const tagged = assignedAddress(offRamp({ ...stellar, addressTag: '0' }));
    expect(tagged).toBe(`${ACCOUNT}#0`);
    expect(assignedAddress(offRamp({ network: 'STELLAR', address: MUXED_0 }))).toBe(tagged);
    for (const told of [
      { ...toAccount, toTag: '0' },
      { ...toAccount, toAddress: MUXED_0 },
    ]) {
      expect(assignedAddressesOf(transfer(told))).toContain(tagged);
    }
    expect(assignedAddressesOf(transfer({ ...toAccount, toTag: '1' }))).not.toContain(tagged);
    expect(assignedAddressesOf(transfer({ ...toAccount, toTag: '' }))).toEqual([ACCOUNT]);
  });

  test('without a tag, if the address needs none, whatever tag a transfer has', () => {
    const untagged = assignedAddress(offRamp(stellar));
    for (const toTag of [undefined, '', '0', 'anything']) {
      expect(assignedAddressesOf(transfer({ ...toAccount, toTag }))).toContain(untagged);
    }
  });

  test.each(['', 'not an address', '0x12'])('and a transfer to %j is to no address', (toAddress) => {
    expect(assignedAddressesOf(transfer({ toAddress }))).toEqual([]);
  });

  test('as it is written, when the service cannot read it', () => {
    expect(assignedAddress(offRamp({ address: 'not an address' }))).toBe('not an address');
  });
});

describe('decisions 4, reasons while not verified: the clients that the address of a transfer belongs to', () => {
  async function ownersFound(to: Parameters<typeof transfer>[0], ...operations: readonly OffRamp[]) {
    const { create, dynamo } = offRampsInMemory(fakeClock(CREATED_AT));
    for (const operation of operations) await create(operation);
    const owners = await createFindAddressOwners(dynamo, TABLES.hashes)(transfer(to));
    return owners?.map(({ clientId }) => clientId);
  }

  test('are those of the operation that it was assigned to', async () => {
    expect(await ownersFound({}, offRamp())).toEqual([CLIENT]);
  });

  test('are none where it is not assigned yet', async () => {
    expect(await ownersFound({ toAddress: `0x${'99'.repeat(20)}` }, offRamp())).toEqual([]);
  });

  test('are unknown while the address is', async () => {
    expect(await ownersFound({ toAddress: '' }, offRamp())).toBeUndefined();
  });

  test('are that of its tag, and that of the whole account', async () => {
    const ofTag = { operationId: STRANGER, clientId: STRANGER, userId: STRANGER, ...stellar, addressTag: '0' };
    const owners = (toTag: string) => ownersFound({ ...toAccount, toTag }, offRamp(stellar), offRamp(ofTag));
    expect(await owners('0')).toEqual([STRANGER, CLIENT]);
    expect(await owners('1')).toEqual([CLIENT]);
  });
});
