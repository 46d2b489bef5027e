import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddress } from '#shared/networks/address.ts';
import { evm } from '#shared/networks/evm.ts';
import { type Network, networkSpecs, networks } from '#shared/networks/network.ts';
import { arrivingKey, arrivingKeyFor, awaitedDepositKey, depositKeysOf } from '#shared/off-ramps/deposit-key.ts';
import { isAwaitedBy } from '#shared/off-ramps/deposit-match.ts';
import { offRamp, transfer } from '#test/support/off-ramp.ts';

describe('decisions 4, detected without a report', () => {
  const MUXED_0 = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
  const MUXED_LARGE = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';
  const MUXED_ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

  /** Few accounts in many spellings, so that operations and transfers often meet. */
  function spellings(network: Network): readonly string[] {
    const made = [1, 2].map((byte) => formatAddress(network, new Uint8Array(32).fill(byte)));
    if (network === 'STELLAR') return [...made, MUXED_ACCOUNT, MUXED_0, MUXED_LARGE];
    if (network === 'TRON') return [...made, `41${'01'.repeat(20)}`];
    if (network === 'SUI') return ['0x2', `0x${'2'.padStart(64, '0')}`, '0x02', '0xAb', '0xaB'];
    if (networkSpecs[network].family === evm) return [...made, `0x${'aB'.repeat(20)}`, `0x${'Ab'.repeat(20)}`];
    return made;
  }

  const meetingOn = (network: Network) => {
    const address = fc.constantFrom(...spellings(network));
    const asset = fc.constantFrom('USDC', 'USDC.e');
    return fc.record({
      network: fc.constant(network),
      address,
      addressTag: fc.constantFrom(undefined, undefined, '0', '7'),
      custodianAssetId: asset,
      amount: fc.constantFrom('1', '1.5'),
      senderAddress: address,
      toAddress: fc.oneof({ weight: 5, arbitrary: address }, fc.constant('')),
      toTag: fc.constantFrom(undefined, '', '0', '7', '9223372036854775808'),
      assetId: asset,
      arrived: fc.constantFrom('1', '1.0', '1.500000', '01.5'),
      fromAddress: fc.oneof({ weight: 5, arbitrary: address }, fc.constant('')),
    });
  };

  test.each(networks)(
    'an operation that awaits a transfer is always found under one of its keys, and finds it on its way (%s)',
    (of) => {
      let met = 0;
      fc.assert(
        fc.property(meetingOn(of), ({ toAddress, toTag, assetId, arrived, fromAddress, ...expected }) => {
          const operation = offRamp(expected);
          const { network } = operation;
          const arrival = transfer({ network, toAddress, toTag, assetId, amount: arrived, fromAddress });
          if (!isAwaitedBy(operation, arrival)) return;
          met += 1;
          expect(depositKeysOf(arrival)).toContain(awaitedDepositKey(operation));
          expect(arrivingKey(arrival)).toBe(arrivingKeyFor(operation));
        }),
        { numRuns: 3000 },
      );
      expect(met).toBeGreaterThan(5);
    },
  );

  test.each(networks)('an operation found under one of the keys awaits the transfer (%s)', (of) => {
    let met = 0;
    fc.assert(
      fc.property(meetingOn(of), ({ toAddress, toTag, assetId, arrived, fromAddress, ...expected }) => {
        const operation = offRamp(expected);
        const arrival = transfer({
          network: operation.network,
          toAddress,
          toTag,
          assetId,
          amount: arrived,
          fromAddress,
        });
        if (!depositKeysOf(arrival).includes(awaitedDepositKey(operation))) return;
        met += 1;
        expect(isAwaitedBy(operation, arrival)).toBe(true);
      }),
      { numRuns: 3000 },
    );
    expect(met).toBeGreaterThan(5);
  });

  test.each([
    { toAddress: `0x${'99'.repeat(20)}` },
    { assetId: 'ETHEREUM:USDT' },
    { amount: '100.51' },
    { fromAddress: `0x${'99'.repeat(20)}` },
    { network: 'BASE' },
  ] as const)('a transfer with %j is not found where the operation is', (difference) => {
    expect(depositKeysOf(transfer())).toContain(awaitedDepositKey(offRamp()));
    expect(depositKeysOf(transfer(difference))).not.toContain(awaitedDepositKey(offRamp()));
    expect(arrivingKey(transfer(difference))).not.toBe(arrivingKeyFor(offRamp()));
  });

  test.each([{ toAddress: MUXED_0 }, { toAddress: MUXED_0, toTag: '' }, { toAddress: MUXED_ACCOUNT, toTag: '0' }])(
    'an operation that awaits the tag 0 is found by a transfer that has it as %j',
    (to) => {
      const stellar = { network: 'STELLAR', senderAddress: MUXED_LARGE } as const;
      const arrival = transfer({ network: 'STELLAR', fromAddress: MUXED_ACCOUNT, ...to });
      for (const awaited of [{ address: MUXED_0 }, { address: MUXED_ACCOUNT, addressTag: '0' }]) {
        expect(depositKeysOf(arrival)).toContain(awaitedDepositKey(offRamp({ ...stellar, ...awaited })));
      }
      expect(depositKeysOf(arrival)).toContain(awaitedDepositKey(offRamp({ ...stellar, address: MUXED_ACCOUNT })));
      const other = offRamp({ ...stellar, address: MUXED_ACCOUNT, addressTag: '1' });
      expect(depositKeysOf(arrival)).not.toContain(awaitedDepositKey(other));
    },
  );

  test('a transfer to an address that is none has no keys', () => {
    expect(depositKeysOf(transfer({ toAddress: '' }))).toEqual([]);
  });

  test('a transfer without a tag has one key, one with a tag that and its own', () => {
    const arrival = { network: 'STELLAR', toAddress: MUXED_ACCOUNT, fromAddress: MUXED_ACCOUNT } as const;
    const untagged = awaitedDepositKey(
      offRamp({ network: 'STELLAR', address: MUXED_ACCOUNT, senderAddress: MUXED_ACCOUNT }),
    );
    expect(depositKeysOf(transfer(arrival))).toEqual([untagged]);
    const keys = depositKeysOf(transfer({ ...arrival, toTag: '1' }));
    expect([new Set(keys).size, keys.length, keys[1]]).toEqual([2, 2, untagged]);
  });

  test('no fact runs into the next: tag 1 of asset 23 is not tag 12 of asset 3', () => {
    const key = (addressTag: string, custodianAssetId: string) =>
      awaitedDepositKey(offRamp({ addressTag, custodianAssetId }));
    expect(key('1', '23')).not.toBe(key('12', '3'));
  });
});
