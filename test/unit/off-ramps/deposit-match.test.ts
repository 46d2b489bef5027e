import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { isAwaitedBy, judgeDeposit } from '#shared/off-ramps/model/deposit-match.ts';
import { DEPOSIT_ADDRESS, offRamp, SENDER_ADDRESS, transfer } from '#test/support/off-ramp.ts';

const MINIMUM = 12;
const STRANGER = `0x${'99'.repeat(20)}`;
const ACCOUNT = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
const MUXED_0 = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ';
const SENDER = 'GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN';

const judge = (...transfers: CustodianTransfer[]) => judgeDeposit(offRamp(), transfers);

describe('interface 4.3 rule 1: what verifies', () => {
  test('confirmed, to the address, for the exact amount, from the declared wallet', () => {
    const deposit = transfer();
    expect(judge(deposit)).toEqual({ match: deposit });
  });

  test.each(['100.5', '100.50', '0100.500000000000000000'])('the amount %s, which is 100.5', (amount) => {
    expect(judge(transfer({ amount }))).toHaveProperty('match');
  });

  test('an amount with 18 decimals, to the last one', () => {
    const expected = offRamp({ amount: '1.000000000000000001' });
    expect(judgeDeposit(expected, [transfer({ amount: '1.000000000000000001' })])).toHaveProperty('match');
    for (const amount of ['1', '1.000000000000000002', '1.0000000000000000010']) {
      expect(judgeDeposit(expected, [transfer({ amount })])).toEqual({ reason: 'WRONG_AMOUNT' });
    }
  });

  test('one of several transfers of the transaction', () => {
    const deposit = transfer({ custodianTransferId: 'second' });
    expect(judge(transfer({ toAddress: STRANGER }), deposit, transfer({ amount: '7' }))).toEqual({ match: deposit });
  });
});

describe('decisions 4, reasons while not verified', () => {
  test('NOT_FOUND: the custodian knows no transfer of the transaction', () => {
    expect(judge()).toEqual({ reason: 'NOT_FOUND' });
  });

  test.each([
    ['WRONG_ADDRESS', { toAddress: STRANGER }],
    ['WRONG_ADDRESS', { toAddress: '' }],
    ['WRONG_ADDRESS', { toAddress: 'not an address' }],
    ['WRONG_TOKEN', { assetId: 'ETHEREUM:USDT' }],
    ['WRONG_TOKEN', { assetId: 'ETHEREUM:USDC.e' }],
    ['WRONG_TOKEN', { assetId: 'ethereum:usdc' }],
    ['WRONG_TOKEN', { network: 'BASE' }],
    ['WRONG_AMOUNT', { amount: '100.500001' }],
    ['WRONG_AMOUNT', { amount: '100.4' }],
    ['WRONG_AMOUNT', { amount: '' }],
    ['WRONG_AMOUNT', { amount: '-100.5' }],
    ['WRONG_AMOUNT', { amount: '1.005e2' }],
    ['WRONG_SENDER', { fromAddress: STRANGER }],
    ['WRONG_SENDER', { fromAddress: '' }],
  ] as const)('%s: %j', (reason, difference) => {
    expect(judge(transfer(difference))).toEqual({ reason });
    expect(isAwaitedBy(offRamp(), transfer(difference))).toBe(false);
  });

  test('WRONG_ADDRESS: an operation whose own address cannot be read awaits no transfer', () => {
    const expected = offRamp({ address: 'not an address' });
    for (const toAddress of [DEPOSIT_ADDRESS, 'not an address']) {
      expect(judgeDeposit(expected, [transfer({ toAddress })])).toEqual({ reason: 'WRONG_ADDRESS' });
    }
  });

  test('the reason is the first fact that differs, in the order address, token, amount, sender', () => {
    const wrong = { toAddress: STRANGER, assetId: 'X', amount: '1', fromAddress: STRANGER };
    expect(judge(transfer(wrong))).toEqual({ reason: 'WRONG_ADDRESS' });
    expect(judge(transfer({ ...wrong, toAddress: DEPOSIT_ADDRESS }))).toEqual({ reason: 'WRONG_TOKEN' });
    expect(judge(transfer({ amount: '1', fromAddress: STRANGER }))).toEqual({ reason: 'WRONG_AMOUNT' });
  });

  test('of several transfers the nearest gives the reason, in whatever order they come', () => {
    const all = [
      transfer({ toAddress: STRANGER }),
      transfer({ assetId: 'X' }),
      transfer({ fromAddress: STRANGER }),
      transfer({ amount: '1' }),
    ];
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (transfers) => {
        expect(judge(...transfers)).toEqual({ reason: 'WRONG_SENDER' });
      }),
    );
    expect(judge(transfer({ toAddress: STRANGER }), transfer({ state: 'UNCONFIRMED', confirmations: 3 }))).toEqual({
      reason: 'UNCONFIRMED',
      confirmations: 3,
      requiredConfirmations: MINIMUM,
    });
  });

  test('decisions 12, finality: UNCONFIRMED or verified by the word of the custodian, whatever is counted', () => {
    for (const confirmations of [undefined, 0, MINIMUM - 1, 1000]) {
      expect(judge(transfer({ confirmations }))).toHaveProperty('match');
      const counted = { confirmations, requiredConfirmations: MINIMUM };
      expect(judge(transfer({ state: 'UNCONFIRMED', ...counted }))).toEqual({ reason: 'UNCONFIRMED', ...counted });
    }
  });

  test('decisions 12, searching: NOT_FOUND for a transfer that is gone, which hides no other transfer', () => {
    const gone = transfer({ state: 'GONE' });
    expect(judge(gone)).toEqual({ reason: 'NOT_FOUND' });
    expect(judge(gone, transfer({ amount: '1' }))).toEqual({ reason: 'WRONG_AMOUNT' });
  });

  test.each([{}, { amount: '1' }, { assetId: '' }])(
    'UNCONFIRMED while the custodian does not know the sender yet, and perhaps no more: %j',
    (unknown) => {
      expect(judge(transfer({ state: 'UNCONFIRMED', confirmations: 0, fromAddress: '', ...unknown }))).toEqual({
        reason: 'UNCONFIRMED',
        confirmations: 0,
        requiredConfirmations: MINIMUM,
      });
    },
  );

  test.each(['UNCONFIRMED', 'CONFIRMED', 'HELD', 'FAILED'] as const)(
    'WRONG_ADDRESS before all else, without confirmations: %s',
    (state) => {
      for (const toAddress of [STRANGER, '']) {
        expect(judge(transfer({ state, toAddress, amount: '1' }))).toEqual({ reason: 'WRONG_ADDRESS' });
      }
    },
  );

  test('a wrong fact is reported before the confirmations are complete', () => {
    expect(judge(transfer({ state: 'UNCONFIRMED', confirmations: 0, amount: '1' }))).toEqual({
      reason: 'WRONG_AMOUNT',
    });
  });

  test.each([
    ['FAILED', 'FAILED_ON_CHAIN'],
    ['HELD', 'HELD_BY_CUSTODIAN'],
  ] as const)('%s is reported before any wrong fact except the address, and never verifies', (state, reason) => {
    expect(judge(transfer({ state }))).toEqual({ reason });
    expect(judge(transfer({ state, confirmations: 1000 }))).toEqual({ reason });
    expect(judge(transfer({ state, assetId: 'X', amount: '1', fromAddress: STRANGER }))).toEqual({ reason });
    expect(judge(transfer({ state, fromAddress: '' }))).toEqual({ reason });
  });

  test('a failed transfer does not hide a confirmed one of the same transaction', () => {
    const deposit = transfer({ custodianTransferId: 'second' });
    expect(judge(transfer({ state: 'FAILED' }), deposit)).toEqual({ match: deposit });
  });
});

describe('decisions 4, what counts as confirmed: memo or tag equal where the network has one', () => {
  const stellar = { network: 'STELLAR', custodianAssetId: 'STELLAR:USDC', senderAddress: SENDER } as const;
  const toAccount = (differences: Partial<CustodianTransfer>) =>
    transfer({ network: 'STELLAR', assetId: 'STELLAR:USDC', fromAddress: SENDER, toAddress: ACCOUNT, ...differences });
  const tagged = offRamp({ ...stellar, address: ACCOUNT, addressTag: '0' });

  test.each([
    { toTag: '0' },
    { toAddress: MUXED_0 },
    { toAddress: MUXED_0, toTag: '' },
    { toAddress: MUXED_0, toTag: '0' },
  ])('%j has the tag 0', (deposit) => {
    expect(judgeDeposit(tagged, [toAccount(deposit)])).toHaveProperty('match');
  });

  test.each([{}, { toTag: '' }, { toTag: '1' }, { toTag: '00' }])('%j has not', (deposit) => {
    expect(judgeDeposit(tagged, [toAccount(deposit)])).toEqual({ reason: 'WRONG_ADDRESS' });
  });

  test('a muxed deposit address asks for its own tag', () => {
    const muxed = offRamp({ ...stellar, address: MUXED_0 });
    expect(judgeDeposit(muxed, [toAccount({ toTag: '0' })])).toHaveProperty('match');
    expect(judgeDeposit(muxed, [toAccount({})])).toEqual({ reason: 'WRONG_ADDRESS' });
  });
});

test('decisions 4, what counts as confirmed: a transfer verifies if and only if every fact matches', () => {
  const anyTransfer = fc.record({
    state: fc.constantFrom('CONFIRMED', 'CONFIRMED', 'UNCONFIRMED', 'HELD', 'FAILED', 'GONE'),
    toAddress: fc.constantFrom(DEPOSIT_ADDRESS, DEPOSIT_ADDRESS, STRANGER, ''),
    fromAddress: fc.constantFrom(SENDER_ADDRESS, SENDER_ADDRESS, STRANGER, ''),
    assetId: fc.constantFrom('ETHEREUM:USDC', 'ETHEREUM:USDC', 'ETHEREUM:USDC.e'),
    amount: fc.constantFrom('100.5', '100.50', '100.51'),
    confirmations: fc.option(fc.nat(2 * MINIMUM), { nil: undefined }),
  });
  fc.assert(
    fc.property(fc.array(anyTransfer, { maxLength: 4 }), (differences) => {
      const transfers = differences.map((difference) => transfer(difference));
      const isGood = (one: CustodianTransfer) =>
        one.state === 'CONFIRMED' &&
        one.toAddress === DEPOSIT_ADDRESS &&
        one.fromAddress === SENDER_ADDRESS &&
        one.assetId === 'ETHEREUM:USDC' &&
        one.amount !== '100.51';
      expect('match' in judge(...transfers)).toBe(transfers.some(isGood));
    }),
    { numRuns: 1000 },
  );
});
