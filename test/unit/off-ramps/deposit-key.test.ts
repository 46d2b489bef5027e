import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddress, isEvm, type Network, networks } from '#shared/networks/network.ts';
import { arrivingKey, arrivingKeyFor } from '#shared/off-ramps/model/deposit.ts';
import { isAwaitedBy } from '#shared/off-ramps/model/deposit-match.ts';
import { offRamp, transfer } from '#test/support/off-ramp.ts';

describe('decisions 4, cancelling: a deposit on its way', () => {
  const MUXED_0 = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAAACJUQ';
  const MUXED_LARGE = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';
  const MUXED_ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';

  /** Few accounts in many spellings, so that operations and transfers often meet. */
  function spellings(network: Network): readonly string[] {
    const made = [1, 2].map((byte) => formatAddress(network, new Uint8Array(32).fill(byte)));
    if (network === 'STELLAR') return [...made, MUXED_ACCOUNT, MUXED_0, MUXED_LARGE];
    if (network === 'TRON') return [...made, `41${'01'.repeat(20)}`];
    if (network === 'SUI') return ['0x2', `0x${'2'.padStart(64, '0')}`, '0x02', '0xAb', '0xaB'];
    if (isEvm(network)) return [...made, `0x${'aB'.repeat(20)}`, `0x${'Ab'.repeat(20)}`];
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

  test.each(networks)('is always found by the operation that awaits it (%s)', (of) => {
    let met = 0;
    fc.assert(
      fc.property(meetingOn(of), ({ toAddress, toTag, assetId, arrived, fromAddress, ...expected }) => {
        const operation = offRamp(expected);
        const { network } = operation;
        const arrival = transfer({ network, toAddress, toTag, assetId, amount: arrived, fromAddress });
        if (!isAwaitedBy(operation, arrival)) return;
        met += 1;
        expect(arrivingKey(arrival)).toBe(arrivingKeyFor(operation));
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
  ] as const)('is not found by the operation if it has %j', (difference) => {
    expect(arrivingKey(transfer())).toBe(arrivingKeyFor(offRamp()));
    expect(arrivingKey(transfer(difference))).not.toBe(arrivingKeyFor(offRamp()));
  });

  test('has a key in which no fact runs into the next: asset 1 of amount 23 is not asset 12 of amount 3', () => {
    const key = (custodianAssetId: string, amount: string) => arrivingKeyFor(offRamp({ custodianAssetId, amount }));
    expect(key('1', '23')).not.toBe(key('12', '3'));
  });
});
