import { describe, expect, test } from 'vitest';
import { evm } from '#shared/networks/evm.ts';
import { networkSpecs, networks } from '#shared/networks/network.ts';
import { assignedAddress, assignedAddressesOf } from '#shared/off-ramps/assigned-addresses.ts';
import { DEPOSIT_ADDRESS, offRamp, transfer } from '#test/support/off-ramp.ts';

const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const MUXED_0 = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
const ofEvm = networks.filter((network) => networkSpecs[network].family === evm);

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

  test('without a tag, when none is asked for, whatever tag a transfer has', () => {
    const untagged = assignedAddress(offRamp(stellar));
    for (const toTag of [undefined, '', '0', 'anything']) {
      expect(assignedAddressesOf(transfer({ ...toAccount, toTag }))).toContain(untagged);
    }
  });

  test.each(['', 'not an address', '0x12'])('and a transfer to %j is to no address', (toAddress) => {
    expect(assignedAddressesOf(transfer({ toAddress }))).toEqual([]);
  });
});
