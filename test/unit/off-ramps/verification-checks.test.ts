import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withChecksum } from '#shared/networks/address-checksum.ts';
import { formatAddress, type Network, networks } from '#shared/networks/network.ts';
import { describeDeposit } from '#shared/off-ramps/contract/describe-deposit.ts';
import { type Check, checksOf } from '#shared/off-ramps/contract/hash-answer.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { storedTransfer } from '#shared/off-ramps/model/deposit.ts';
import { judgeDeposit } from '#shared/off-ramps/model/deposit-match.ts';
import { CREATED_AT, offRamp, RETURN_TERMS, transfer } from '#test/support/off-ramp.ts';

/** The number of random deposits on each network. */
const DEPOSITS = 1000;

const EVM = new Set<Network>(['ETHEREUM', 'POLYGON', 'BASE', 'ARBITRUM', 'OPTIMISM', 'BSC', 'AVALANCHE']);

/** Keys of 32 bytes that differ in the last of the first 20, so that their addresses differ on every network. */
const keys = fc
  .tuple(fc.bigInt({ min: 0n, max: 2n ** 152n - 1n }), fc.uniqueArray(fc.nat(255), { minLength: 3, maxLength: 3 }))
  .map(([start, ends]) =>
    ends.map((end) => Buffer.from((start * 256n + BigInt(end)).toString(16).padStart(40, '0').padEnd(64, '7'), 'hex')),
  );
const tag = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const symbol = fc.constantFrom('USDC', 'USDT', 'EURC', 'PYUSD');
const changedFact = fc.constantFrom('ADDRESS', 'TOKEN', 'AMOUNT', 'SENDER', 'CONFIRMATIONS');

/** Positive decimal amounts in their shortest form. */
const amount = fc.tuple(fc.bigInt({ min: 1n, max: 10n ** 28n }), fc.nat(18)).map(([units, decimals]) => {
  const digits = String(units).padStart(decimals + 1, '0');
  const [whole, fraction] = [digits.slice(0, digits.length - decimals), digits.slice(digits.length - decimals)];
  return `${whole}.${fraction}`.replace(/\.?0*$/, '');
});

const facts = fc.record({
  keys,
  tags: fc.uniqueArray(tag, { minLength: 2, maxLength: 2 }),
  hasTag: fc.boolean(),
  symbols: fc.uniqueArray(symbol, { minLength: 2, maxLength: 2 }),
  otherNetwork: fc.constantFrom(...networks),
  amounts: fc.uniqueArray(amount, { minLength: 2, maxLength: 2 }),
  minimum: fc.integer({ min: 1, max: 100 }),
  more: fc.nat(100),
  isOtherwise: fc.boolean(),
});

type Facts = typeof facts extends fc.Arbitrary<infer Value> ? Value : never;

/** An operation on a network, the deposit that it awaits, and other facts that a deposit can have instead. */
function generate(network: Network, { keys, tags, hasTag, symbols, amounts, minimum, more, ...others }: Facts) {
  const [address = '', sender = '', stranger = ''] = keys.map((bytes) => formatAddress(network, bytes));
  const [ownTag = '', otherTag = ''] = tags;
  const [token = '', otherToken = ''] = symbols;
  const [awaited = '', otherAmount = ''] = amounts;
  const isTagged = network === 'STELLAR' && hasTag;
  const spelled = (text: string) => (EVM.has(network) ? `0x${text.slice(2).toUpperCase()}` : text);
  const expected = offRamp({
    network,
    token,
    custodianAssetId: `${token}-${network}`,
    address: withChecksum(network, address),
    ...(isTagged && { addressTag: ownTag }),
    amount: awaited,
    senderAddress: sender,
  });
  const deposit = transfer({
    network,
    assetId: `${token}-${network}`,
    toAddress: spelled(address),
    toTag: isTagged ? ownTag : undefined,
    amount: `0${awaited}`,
    fromAddress: spelled(sender),
    confirmations: minimum + more,
    requiredConfirmations: minimum,
  });
  const text = isTagged ? `${expected.address}#${ownTag}` : expected.address;
  const observed: Readonly<Record<Check['check'], string>> = {
    ADDRESS: text,
    TOKEN: `${network}:${token}`,
    AMOUNT: awaited,
    SENDER: sender,
    CONFIRMATIONS: String(minimum + more),
  };
  const other = { stranger, otherTag, otherToken, otherAmount, isTagged, address, ...others };
  return { expected, deposit, observed, awaits: { ...observed, CONFIRMATIONS: String(minimum) }, other };
}

type Generated = ReturnType<typeof generate>;

/** For each check: a deposit with one wrong fact, and how that fact is shown. */
const changes: Readonly<
  Record<Check['check'], (generated: Generated) => readonly [Partial<CustodianTransfer>, shown: string]>
> = {
  ADDRESS: ({ other: { isTagged, isOtherwise, stranger, otherTag, address }, deposit: { toTag } }) =>
    isTagged && isOtherwise
      ? [{ toTag: otherTag }, `${address}#${otherTag}`]
      : [{ toAddress: stranger }, toTag === undefined ? stranger : `${stranger}#${toTag}`],
  TOKEN: ({ expected: { network }, deposit: { assetId }, other: { isOtherwise, otherNetwork, otherToken } }) =>
    isOtherwise && otherNetwork !== network
      ? [{ network: otherNetwork }, `${otherNetwork}:${assetId}`]
      : [{ assetId: `${otherToken}-${network}` }, `${network}:${otherToken}-${network}`],
  AMOUNT: ({ other: { otherAmount } }) => [{ amount: `${otherAmount}` }, otherAmount],
  SENDER: ({ other: { stranger } }) => [{ fromAddress: stranger }, stranger],
  CONFIRMATIONS: ({ deposit: { confirmations } }) => [{ state: 'UNCONFIRMED' }, String(confirmations)],
};

describe.each(networks)('decisions 9, evidence: of a deposit on %s', (network) => {
  test('all checks pass when it is what the operation awaits, and with one fact changed exactly that one fails', () => {
    fc.assert(
      fc.property(facts, changedFact, (random, changed) => {
        const generated = generate(network, random);
        const { expected, deposit, observed, awaits } = generated;
        const shown = (all: Readonly<Record<string, string>>, failed?: string) =>
          Object.entries(awaits).map(([check, awaited]) => ({
            check,
            passed: check !== failed,
            expected: awaited,
            observed: all[check],
          }));
        const [difference, text] = changes[changed](generated);
        const wrong = { ...deposit, ...difference };
        const isMatch = (one: CustodianTransfer) => 'match' in judgeDeposit(expected, [one]);
        expect([checksOf(expected, deposit), isMatch(deposit)]).toStrictEqual([shown(observed), true]);
        const asShown = shown({ ...observed, [changed]: text }, changed);
        expect([checksOf(expected, wrong), isMatch(wrong)]).toStrictEqual([asShown, false]);
      }),
      { numRuns: DEPOSITS },
    );
  });
});

test('decisions 9, reading: a deposit and its checks show the addresses as its operation has them, whatever case the custodian writes', () => {
  const operation = offRamp({
    address: withChecksum('ETHEREUM', `0x${'a1'.repeat(20)}`),
    senderAddress: `0x${'b2'.repeat(20)}`,
  });
  const { address, senderAddress } = operation;
  const shown = (toAddress: string, fromAddress: string) => {
    const found = transfer({ toAddress, fromAddress });
    const times = {
      firstNotifiedAt: CREATED_AT,
      lastNotifiedAt: CREATED_AT,
      detectedAt: CREATED_AT,
      updatedAt: CREATED_AT,
    };
    const deposit = describeDeposit(
      { ...found, ...times, sequence: 1, transfer: storedTransfer(found) },
      operation,
      RETURN_TERMS,
    );
    return [deposit?.toAddress, deposit?.fromAddress, ...checksOf(operation, found).map(({ observed }) => observed)];
  };
  for (const cased of [(text: string) => text.toLowerCase(), (text: string) => withChecksum('ETHEREUM', text)]) {
    const [to, from, ofAddress, , , ofSender] = shown(cased(address), cased(senderAddress));
    expect([to, from, ofAddress, ofSender]).toEqual([address, senderAddress, address, senderAddress]);
  }
  expect(shown(address.toUpperCase().replace('X', 'x'), 'nobody').slice(0, 2)).toEqual([address, 'nobody']);
});

describe('decisions 9, evidence: a check', () => {
  const failing = (difference: Partial<CustodianTransfer>) =>
    checksOf(offRamp(), transfer(difference)).filter(({ passed }) => !passed);

  test('has nothing observed while the custodian does not know it', () => {
    expect(failing({ fromAddress: '' })).toEqual([
      { check: 'SENDER', passed: false, expected: offRamp().senderAddress },
    ]);
  });

  test('shows an unreadable value unchanged', () => {
    const shown = failing({ toAddress: 'nowhere', amount: '-1', fromAddress: 'nobody' }).map(
      ({ observed }) => observed,
    );
    expect(shown).toEqual(['nowhere', '-1', 'nobody']);
  });

  test.each(['HELD', 'FAILED', 'GONE'] as const)('of the confirmations fails of a deposit that is %s', (state) => {
    expect(failing({ state })).toEqual([{ check: 'CONFIRMATIONS', passed: false, expected: '12', observed: '12' }]);
  });

  test.each([
    [{ requiredConfirmations: undefined }, "custodian's policy", '12'],
    [{ requiredConfirmations: undefined, confirmations: undefined }, "custodian's policy", undefined],
    [{ requiredConfirmations: undefined, confirmations: undefined, block: 77 }, 'finalized block', '77'],
  ])('of the confirmations says which number the custodian requires: %j', (counted, expected, observed) => {
    const check = { check: 'CONFIRMATIONS', expected, ...(observed !== undefined && { observed }) };
    expect(checksOf(offRamp(), transfer(counted)).at(-1)).toEqual({ ...check, passed: true });
    expect(failing({ ...counted, state: 'UNCONFIRMED' })).toEqual([{ ...check, passed: false }]);
  });

  test('of a muxed address shows its account and its tag', () => {
    const muxed = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
    const account = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
    const expected = offRamp({ network: 'STELLAR', address: muxed });
    const [address] = checksOf(expected, transfer({ network: 'STELLAR', toAddress: account, toTag: '1' }));
    const [shown] = checksOf(expected, transfer({ network: 'STELLAR', toAddress: muxed }));
    expect(address).toMatchObject({ passed: false, observed: `${account}#1` });
    expect(shown).toMatchObject({ passed: true, observed: address?.expected });
  });
});
