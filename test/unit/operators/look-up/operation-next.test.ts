import { describe, expect, test } from 'vitest';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { verificationReasons } from '#shared/off-ramps/model/verification.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { CREATED_AT, EXPIRES_AT, HASH, offRamp } from '#test/support/off-ramp.ts';

const LATER = '2026-08-01T12:31:00.000Z';

describe('decisions 11, one look: an off-ramp that awaits its deposit says who acts next', () => {
  test('the user, while nothing was reported', async () => {
    const { put, look } = lookUpWorld();
    put(offRamp());
    expect((await look()).next).toEqual({
      who: 'USER',
      what: expect.stringContaining('Sends 100.5 USDC on ETHEREUM to 0x'),
    });
    put(offRamp({ addressTag: '77' }));
    expect((await look()).next.what).toContain(' with the tag 77 from the declared wallet.');
  });

  test('the client, once its time is over', async () => {
    const { put, look } = lookUpWorld(EXPIRES_AT);
    put(offRamp());
    expect((await look()).next).toEqual({
      who: 'CLIENT',
      what: expect.stringContaining('Cancels it, or reports the hash'),
    });
  });

  test('the service, while a reported hash is not looked up yet, not found or not final', async () => {
    for (const reason of [undefined, 'NOT_FOUND', 'UNCONFIRMED'] as const) {
      const { putVerification, look } = lookUpWorld();
      putVerification({ reason, nextCheckAt: LATER });
      const { next } = await look();
      expect(next).toMatchObject({ who: 'SERVICE', at: LATER });
      expect(next.what.endsWith(' again.')).toBe(reason !== undefined);
    }
  });

  test('the client, of a hash that nobody has found for an hour', async () => {
    const at = '2026-08-01T14:00:00.000Z';
    const { putVerification, look } = lookUpWorld(at);
    putVerification({ reason: 'NOT_FOUND', nextCheckAt: at });
    expect((await look()).next).toEqual({ who: 'CLIENT', what: expect.stringContaining('Compares the hash'), at });
  });

  test('the client, of a hash whose window has ended', async () => {
    const { putVerification, look } = lookUpWorld();
    putVerification({ reason: 'NOT_FOUND', nextCheckAt: undefined });
    const { next, hash } = await look();
    expect(next).toEqual({ who: 'CLIENT', what: expect.stringContaining('Its window has ended') });
    putVerification({ reason: 'CUSTODIAN_UNAVAILABLE', nextCheckAt: undefined });
    expect((await look()).next.what).not.toMatch(/repeated|again\./);
    expect(hash).toMatchObject({
      status: 'VERIFYING',
      txHash: HASH,
      inWords: expect.stringContaining('knows no transaction'),
    });
  });

  test('the client, of a transaction that is not what is awaited', async () => {
    for (const reason of ['WRONG_ADDRESS', 'WRONG_TOKEN', 'WRONG_SENDER', 'FAILED_ON_CHAIN'] as const) {
      const { putVerification, look } = lookUpWorld();
      putVerification({ reason, nextCheckAt: LATER });
      expect((await look()).next).toMatchObject({ who: 'CLIENT', at: LATER });
    }
  });

  test('decisions 4, reasons while not verified: of a wrong amount the whole one is asked for, in one transfer', async () => {
    const { putVerification, look } = lookUpWorld();
    putVerification({ reason: 'WRONG_AMOUNT', nextCheckAt: LATER });
    const what = expect.stringMatching(/never added up.*whole 100\.5 USDC in one transfer, from the declared wallet/);
    expect((await look()).next).toEqual({ who: 'CLIENT', what, at: LATER });
  });

  test('the custodian, while it does not answer or holds the deposit', async () => {
    for (const reason of ['CUSTODIAN_UNAVAILABLE', 'HELD_BY_CUSTODIAN'] as const) {
      const { putVerification, look } = lookUpWorld();
      putVerification({ reason, nextCheckAt: LATER });
      expect((await look()).next).toMatchObject({ who: 'CUSTODIAN', at: LATER });
    }
  });

  test('the service, of a hash that waits its turn, because the custodian was not asked', async () => {
    const { putVerification, look } = lookUpWorld();
    putVerification({ reason: 'CUSTODIAN_UNAVAILABLE', isPutOff: true, nextCheckAt: LATER });
    expect((await look()).next).toMatchObject({ who: 'SERVICE', what: expect.stringContaining('turn'), at: LATER });
  });

  test('the service, of an execution that has broken off', async () => {
    const { putVerification, look } = lookUpWorld();
    putVerification({ reason: 'NOT_FOUND', nextCheckAt: '2026-08-01T12:26:59.000Z', run: 2 });
    const { next, hash } = await look();
    expect(next).toMatchObject({ who: 'SERVICE', what: expect.stringContaining('broke off') });
    expect(hash.execution).toBe(`${offRamp().operationId}-1-2`);
  });

  test('compliance, where the client would act and is not approved', async () => {
    const { putVerification, approval, look } = lookUpWorld();
    putVerification({ reason: 'WRONG_AMOUNT', nextCheckAt: LATER });
    approval('suspended');
    expect((await look()).next).toMatchObject({ who: 'COMPLIANCE', what: expect.stringContaining('not approved') });
  });

  test('and the answer has every reason in words', async () => {
    for (const reason of verificationReasons) {
      const { putVerification, look } = lookUpWorld();
      putVerification({ reason, nextCheckAt: LATER });
      expect((await look()).hash).toMatchObject({ reason, inWords: expect.stringMatching(/^The .+\.$/) });
    }
  });
});

const unmatched: Partial<Deposit> = { reasons: ['WRONG_AMOUNT'], unmatched: 'UNMATCHED' };

describe('decisions 11, one look: a deposit decides who acts next', () => {
  const cases: readonly (readonly [
    string,
    OffRamp['status'],
    Parameters<ReturnType<typeof lookUpWorld>['putDeposit']>,
    string,
  ])[] = [
    ['the custodian of one that it holds', 'AWAITING_DEPOSIT', [{ state: 'HELD' }], 'CUSTODIAN'],
    ['the service of one that is not final', 'AWAITING_DEPOSIT', [{ state: 'UNCONFIRMED' }], 'SERVICE'],
    ['finance of one that is not what is awaited', 'AWAITING_DEPOSIT', [{ amount: '99' }, unmatched], 'FINANCE'],
    ['finance of a second one', 'COMPLETED', [{}, { ...unmatched, reasons: ['ALREADY_FUNDED'] }], 'FINANCE'],
    [
      'finance of one that was taken back',
      'PENDING',
      [{}, { creditedAt: CREATED_AT, unmatched: 'REVERSED' }],
      'FINANCE',
    ],
    ['payouts of one that is credited', 'PENDING', [{}, { creditedAt: CREATED_AT }], 'PAYOUTS'],
    ['nobody of one that failed', 'COMPLETED', [{ state: 'FAILED' }], 'NOBODY'],
  ];
  test.each(cases)('%s', async (_, status, [facts, differences], who) => {
    const { put, putDeposit, look } = lookUpWorld();
    put(offRamp({ status }));
    putDeposit(facts, { nextPollAt: LATER, ...differences });
    expect((await look()).next.who).toBe(who);
  });

  test('and the answer says what it is and why it funds nothing', async () => {
    const { put, putDeposit, look } = lookUpWorld();
    put(offRamp());
    putDeposit({ amount: '99' }, unmatched);
    const { next, deposits } = await look();
    const decides = 'Decides what happens to 99 ETHEREUM:USDC: WRONG_AMOUNT.';
    expect(next.what).toMatch(
      `${decides} Amounts are never added up: the user still sends the whole 100.5 USDC in one transfer`,
    );
    expect(next.what).toMatch(/ To send it back: request-return\. If it is kept: settle-deposit\.$/);
    expect(deposits).toMatchObject([{ status: 'UNMATCHED', amount: '99', reasons: ['WRONG_AMOUNT'] }]);
  });

  test('finance of one that waits behind one that is being sent back, and of each other one', async () => {
    const { put, putDeposit, look } = lookUpWorld();
    put(offRamp({ status: 'CANCELLED' }));
    const asked = {
      ...{ amount: '97.5', fee: '1.5', assetId: 'ETHEREUM:USDC', from: '7', address: '0x05', requestedAt: CREATED_AT },
      ...{ requestedBy: 'client 1', approversNeeded: 1, approvals: [] },
    };
    const approvals = [{ by: 'alice', at: CREATED_AT }];
    putDeposit({ custodianTransferId: 'a' }, { return: { ...asked, approvals, sendingAt: CREATED_AT } });
    expect((await look()).next.who).toBe('CUSTODIAN');
    putDeposit({ custodianTransferId: 'b' }, { return: asked });
    expect((await look()).next).toMatchObject({
      who: 'FINANCE',
      what: expect.stringMatching(/^Approves .* approvals\.$/),
    });
    putDeposit({ custodianTransferId: 'c' }, unmatched);
    const what = expect.stringMatching(/^Decides .* Deposits of it that wait for finance besides: 1\.$/);
    expect((await look()).next).toMatchObject({ who: 'FINANCE', what });
  });
});

test('decisions 4, reasons while not verified: after its off-ramp has ended nobody is told to send more', async () => {
  const { put, putDeposit, look } = lookUpWorld();
  put(offRamp({ status: 'CANCELLED' }));
  putDeposit({ amount: '99' }, unmatched);
  expect((await look()).next.what).not.toContain('added up');
});

describe('decisions 11, one look: an off-ramp that has ended', () => {
  test.each([
    ['COMPLETED', HASH, 'NOBODY', 'COMPLETED'],
    ['CANCELLED', undefined, 'NOBODY', 'NOT_DUE'],
    ['FAILED', undefined, 'NOBODY', 'NOT_DUE'],
    ['FAILED', HASH, 'FINANCE', 'FAILED'],
    ['CANCELLED', HASH, 'FINANCE', 'CANCELLED'],
  ] as const)('%s with the deposit %s waits for %s', async (status, verifiedTxHash, who, payout) => {
    const { put, look } = lookUpWorld();
    put(offRamp({ status, verifiedTxHash, endedAt: LATER, endReason: 'The bank refused it' }));
    const answer = await look();
    expect(answer.next.who).toBe(who);
    const end = payout === 'NOT_DUE' ? {} : { since: LATER, reason: 'The bank refused it' };
    expect(answer.payout).toEqual({ status: payout, ...end });
  });

  test.each([
    [{ status: 'COMPLETED', paidOut: false }, 'To send it back: request-return, with --payout-never-made yes. '],
    [{ status: 'FAILED' }, 'To send it back, 24 hours after its end: request-return, with --payout-never-made yes. '],
  ] as const)('and owes its deposit, says from when on finance may do what: %s', async (differences, what) => {
    const { put, look } = lookUpWorld();
    put(offRamp({ ...differences, verifiedTxHash: HASH, endedAt: LATER }));
    const kept = 'If it is kept, once it is owed for 24 hours: settle-deposit.';
    expect((await look()).next.what).toContain(what + kept);
  });
});
