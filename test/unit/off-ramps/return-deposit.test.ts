import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDeposit } from '#shared/off-ramps/contract/describe-deposit.ts';
import { resolveContradictionContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { approveReturnContract, requestReturnContract } from '#shared/off-ramps/contract/return-commands.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import {
  type Deposit,
  depositIdOf,
  isCreditedAutomatically,
  isCreditedOnReport,
} from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, OPERATION, STRANGER } from '#test/support/ids.ts';
import {
  CREATED_AT,
  HASH,
  OTHER_HASH,
  offRamp,
  RETURN_TERMS,
  SENDER_ADDRESS,
  transfer,
} from '#test/support/off-ramp.ts';
import { BEA, CARL, CREDITED, ID, returnWorld } from '#test/support/return-world.ts';

const ELSEWHERE = `0x${'5e'.repeat(20)}`;
const SETTLED = { outcome: 'KEPT', by: 'x', at: CREATED_AT, reason: 'why' } as const;

const refusal = async (work: () => Promise<unknown>) => {
  const { status, code, about } = await expectApiError(work);
  return [status, code, about?.['reasons']];
};

describe('decisions 9, returns: a deposit is asked back', () => {
  test('its request is frozen, its client is told, and a repeat answers the same', async () => {
    const w = await returnWorld();
    const { nextPollAt } = w.kept();
    const first = await w.ask();
    expect(w.kept().nextPollAt).toBe(nextPollAt);
    expect(first).toMatchObject({
      ...{ status: 'RETURN_REQUESTED', returnable: false, sequence: 2 },
      return: { amount: '97.5', fee: '1.5', address: SENDER_ADDRESS, requestedAt: '2026-08-01T12:30:00.000Z' },
    });
    expect(first.return).not.toHaveProperty('approvals');
    expect(await w.ask({ confirmAddress: SENDER_ADDRESS.toUpperCase().replace('0X', '0x') })).toEqual(first);
    expect(w.told()).toEqual([[2, 'UNMATCHED', 'RETURN_REQUESTED']]);
    for (const gone of ['unmatched', 'unmatchedSince']) expect(w.kept()).not.toHaveProperty(gone);
    expect(await refusal(() => w.ask({ confirmAddress: ELSEWHERE }))).toEqual([
      409,
      'DEPOSIT_NOT_RETURNABLE',
      ['OTHER_ADDRESS'],
    ]);
    await w.operate(approveReturnContract);
    await w.pass(2);
    expect(await w.ask()).toMatchObject({ status: 'RETURNED', return: { txHash: OTHER_HASH } });
  });

  test('a deposit from another wallet is asked back with its address, and goes nowhere else', async () => {
    const w = await returnWorld({ facts: { amount: '99', fromAddress: ELSEWHERE } });
    const { status, errors } = await expectApiError(() => w.ask());
    expect([status, errors]).toEqual([
      422,
      [expect.objectContaining({ path: 'body.confirmAddress', code: 'REQUIRED' })],
    ]);
    expect(await refusal(() => w.ask({ confirmAddress: SENDER_ADDRESS }))).toEqual([
      409,
      'DEPOSIT_NOT_RETURNABLE',
      ['OTHER_ADDRESS'],
    ]);
    expect((await expectApiError(() => w.ask({ confirmAddress: ELSEWHERE, tag: '7' }))).status).toBe(422);
    expect(await w.ask({ confirmAddress: ELSEWHERE })).toMatchObject({ return: { address: ELSEWHERE } });
    expect(w.kept().return).toMatchObject({ approversNeeded: 2 });
  });

  test('a deposit of more digits than any client asks for is asked back like any other', async () => {
    const w = await returnWorld({ facts: { amount: `1${'0'.repeat(40)}.5` } });
    expect(await w.ask()).toMatchObject({ return: { amount: `${'9'.repeat(40)}` } });
    await w.operate(approveReturnContract);
    await w.operate(approveReturnContract, {}, CARL);
    await w.pass(2);
    expect(await w.ask()).toMatchObject({ status: 'RETURNED' });
  });

  test.each<[string, Partial<CustodianTransfer>, Partial<Deposit>, Partial<OffRamp>, readonly string[]]>([
    ['is held', { state: 'HELD' }, {}, {}, ['HELD']],
    ['is not final any more', { state: 'UNCONFIRMED' }, {}, {}, ['STATUS']],
    ['is settled', {}, { settled: SETTLED }, {}, ['SETTLED']],
    ['has no sender', { fromAddress: '' }, {}, {}, ['SENDER_UNKNOWN']],
    ['is worth no more than its fee', { amount: '1.50' }, {}, {}, ['NOTHING_LEFT']],
    ['is of an unknown asset', { assetId: 'SPAM' }, {}, {}, ['NOT_SERVED']],
    ['is on a network that returns nothing', { network: 'POLYGON' }, {}, {}, ['NOT_SERVED']],
    ['may have been paid out', {}, {}, { contradictedSince: CREATED_AT }, ['STATUS']],
    ['cannot be read', {}, { unreadable: 'UNREADABLE' }, {}, ['STATUS']],
    ['was credited', CREDITED.facts, CREDITED.deposit, CREDITED.operation, ['STATUS']],
  ])('no deposit is asked back that %s', async (_, facts, deposit, operation, reasons) => {
    const w = await returnWorld({ facts: { amount: '99', ...facts }, deposit, operation });
    expect(await refusal(() => w.ask({ confirmAddress: SENDER_ADDRESS }))).toEqual([
      409,
      'DEPOSIT_NOT_RETURNABLE',
      reasons,
    ]);
    expect(w.kept().return).toBeUndefined();
  });

  test('no deposit is asked back whose off-ramp payouts reports as paid at the same moment', async () => {
    const operation = { status: 'CANCELLED' } as const;
    const w = await returnWorld({ operation });
    w.beforeNextWrite('deposits', () => w.putOperation({ ...operation, contradictedSince: CREATED_AT, sequence: 2 }));
    expect(await refusal(() => w.ask())).toEqual([409, 'DEPOSIT_NOT_RETURNABLE', ['STATUS']]);
    expect(w.kept().return).toBeUndefined();
  });

  test('on a network with tags the address is repeated, of the declared wallet, too, with the tag of who gets it', async () => {
    const from = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
    const w = await returnWorld({
      operation: { network: 'STELLAR', senderAddress: from },
      facts: { network: 'STELLAR', fromAddress: from, amount: '99' },
    });
    Object.assign(w.terms.routes, { STELLAR: RETURN_TERMS.routes.ETHEREUM });
    expect((await expectApiError(() => w.ask())).errors).toMatchObject([{ path: 'body.confirmAddress' }]);
    const asked = { confirmAddress: from, tag: '7' };
    expect(await w.ask(asked)).toMatchObject({ return: { address: from, tag: '7' } });
    expect(await w.ask(asked)).toMatchObject({ status: 'RETURN_REQUESTED' });
    expect(await refusal(() => w.ask({ confirmAddress: from }))).toContainEqual(['OTHER_ADDRESS']);
  });

  test('a tag inside an address is the recipient’s tag: another tag is refused, and so is the account without it', async () => {
    const [account, tag0] = [
      'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ',
      'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJUAAAAAAAAAAAACJUQ',
    ];
    const facts = { network: 'STELLAR', amount: '99' } as const;
    const operation = { network: 'STELLAR', senderAddress: account } as const;
    const [fromAccount, fromTag0] = [
      await returnWorld({ operation, facts: { ...facts, fromAddress: account } }),
      await returnWorld({ operation, facts: { ...facts, fromAddress: tag0 } }),
    ];
    for (const w of [fromAccount, fromTag0]) {
      Object.assign(w.terms.routes, { STELLAR: RETURN_TERMS.routes.ETHEREUM });
      const ask = async () => (await expectApiError(() => w.ask({ confirmAddress: tag0, tag: '7' }))).errors;
      expect(await ask()).toMatchObject([{ path: 'body.tag', code: 'INVALID' }]);
    }
    for (const tag of [undefined, '7']) {
      expect(await refusal(() => fromTag0.ask({ confirmAddress: account, tag }))).toContainEqual(['OTHER_ADDRESS']);
      const { status } = await fromTag0.operate(requestReturnContract, { address: account, tag });
      expect(status).toBe(409);
    }
    expect((await fromTag0.operate(requestReturnContract, { tag: '7' })).status).toBe(422);
    for (const w of [fromAccount, fromTag0])
      expect(await w.ask({ confirmAddress: tag0 })).toMatchObject({ return: { address: account, tag: '0' } });
    expect(await fromTag0.ask({ confirmAddress: account, tag: '0' })).toHaveProperty('status', 'RETURN_REQUESTED');
  });

  test('no deposit of another client, or without an owner, is found', async () => {
    const w = await returnWorld();
    expect(await refusal(() => w.ask({}, STRANGER))).toEqual([404, 'OFF_RAMP_NOT_FOUND', undefined]);
    w.putDeposit({ operationId: undefined, clientId: undefined });
    expect(await refusal(() => w.ask())).toEqual([404, 'DEPOSIT_NOT_FOUND', undefined]);
  });

  test('an id that is no UUID is like one of no deposit; the case of one does not matter', async () => {
    const w = await returnWorld();
    expect(await refusal(() => w.ask({}, CLIENT, 'x'))).toEqual([404, 'DEPOSIT_NOT_FOUND', undefined]);
    expect(await w.ask({}, CLIENT, depositIdOf(ID).toUpperCase())).toHaveProperty('status', 'RETURN_REQUESTED');
  });

  test('returnable is true exactly when a request is taken', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          state: fc.constantFrom<CustodianTransfer['state']>('CONFIRMED', 'CONFIRMED', 'HELD', 'UNCONFIRMED', 'FAILED'),
          amount: fc.constantFrom('99', '1.5', '1.500001', '100.5'),
          fromAddress: fc.constantFrom(SENDER_ADDRESS, ELSEWHERE, ''),
          assetId: fc.constantFrom('ETHEREUM:USDC', 'ETHEREUM:USDT', 'SPAM'),
        }),
        fc.record({
          unmatched: fc.constantFrom<Deposit['unmatched']>('UNMATCHED', 'UNMATCHED', undefined),
          settled: fc.constantFrom<Deposit['settled']>(undefined, undefined, SETTLED, {
            ...SETTLED,
            outcome: 'RETURNED',
          }),
          unreadable: fc.constantFrom<Deposit['unreadable']>(undefined, undefined, 'UNREADABLE'),
          creditedAt: fc.constantFrom(undefined, undefined, CREATED_AT),
        }),
        fc.record({
          verifiedTxHash: fc.constantFrom(undefined, OTHER_HASH),
          contradictedSince: fc.constantFrom(undefined, CREATED_AT),
          paidOut: fc.constantFrom(undefined, true, false),
        }),
        async (facts, deposit, operation) => {
          const w = await returnWorld({ facts, deposit, operation });
          const shown = describeDeposit(w.kept(), offRamp(operation), RETURN_TERMS);
          const taken = await w.ask({ confirmAddress: facts.fromAddress || SENDER_ADDRESS }).catch(() => undefined);
          expect(shown?.returnable).toBe(taken !== undefined);
          expect(w.kept().return !== undefined).toBe(taken !== undefined);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('decisions 9, returns: a deposit that is being sent back', () => {
  test.each(['RETURN_REQUESTED', 'RETURNED'] as const)(
    'is never credited, whatever the custodian says and whoever reports its hash: %s',
    async (status) => {
      const w = await returnWorld();
      await w.ask();
      if (status === 'RETURNED') {
        await w.operate(approveReturnContract);
        await w.pass(2);
      }
      w.putOperation({ txHash: HASH });
      w.custodian.transfer = transfer();
      await w.poll();
      expect((await w.credit()).outcome).toBe('UNMATCHED');
      expect([w.status(), w.kept().transfer?.amount, w.kept().creditedAt]).toEqual([status, '100.5', undefined]);
      expect([isCreditedAutomatically(w.kept()), isCreditedOnReport(w.kept())]).toEqual([false, false]);
    },
  );

  test('is not credited when it is asked back between the read of the credit and its write', async () => {
    const w = await returnWorld();
    w.putOperation({ txHash: HASH });
    const { return: frozen } = await returnWorld().then(async (other) => {
      await other.ask();
      return other.kept();
    });
    // Past the sequence, as if it had none: the condition on the return alone refuses it.
    w.beforeNextWrite('deposits', () => w.putDeposit({ return: frozen }));
    expect((await w.credit()).outcome).toBe('UNMATCHED');
  });

  test('polls write facts, and call somebody once when it is taken away after it was sent', async () => {
    const w = await returnWorld();
    await w.ask();
    await w.operate(approveReturnContract);
    await w.pass(2);
    w.custodian.transfer = transfer({ amount: '99', state: 'FAILED' });
    await w.poll();
    await w.poll();
    for (const state of ['UNCONFIRMED', 'CONFIRMED'] as const) {
      w.custodian.transfer = transfer({ amount: '99', state });
      await w.poll();
      expect(w.kept().nextPollAt !== undefined).toBe(state === 'UNCONFIRMED');
    }
    expect([w.status(), w.errors(), w.told().length]).toEqual(['RETURNED', ['RETURNED_DEPOSIT_TAKEN_BACK'], 2]);
  });

  test('is polled whenever its return is watched: that it is gone calls somebody without a notification', async () => {
    const w = await returnWorld();
    await w.ask();
    await w.operate(approveReturnContract);
    await w.pass(2);
    w.custodian.transfer = transfer({ amount: '99', state: 'GONE' });
    await w.pass(5);
    await w.pollPlanned();
    expect([w.status(), w.errors()]).toEqual(['RETURNED', ['RETURNED_DEPOSIT_TAKEN_BACK']]);
  });

  test('polls call somebody when it is taken away after it was sent, wherever one of them dies', async () => {
    for (let at = 1, calls = 0; at === 1 || calls >= at - 1; at += 1) {
      const w = await returnWorld();
      await w.ask();
      await w.operate(approveReturnContract);
      await w.pass(2);
      w.custodian.transfer = transfer({ amount: '99', state: 'FAILED' });
      calls = 0;
      const dying = w.parts(async () => {
        calls += 1;
        if (calls === at) throw new Error('It is stopped.');
      });
      await dying.poll().catch(() => undefined);
      await w.poll();
      expect(w.errors()).toContain('RETURNED_DEPOSIT_TAKEN_BACK');
    }
  });

  test('polls call nobody before it is sent, and go on, daily after two weeks, while it is not final or not found', async () => {
    for (const now of [transfer({ amount: '99', state: 'HELD' }), undefined]) {
      const w = await returnWorld();
      await w.ask();
      w.custodian.transfer = now;
      await w.poll();
      expect([w.kept().transfer?.amount, w.kept().transfer?.state]).toEqual(['99', now?.state ?? 'CONFIRMED']);
      expect(w.kept().nextPollAt).toBe('2026-08-01T12:33:00.000Z');
      w.clock.advance(15 * 24 * 3600);
      await w.pollPlanned();
      expect(w.kept().nextPollAt).toBe('2026-08-17T12:30:00.000Z');
      expect(w.errors()).toEqual([]);
    }
  });

  test('that was not filed yet is filed with all its reasons, also that its transaction funds another off-ramp of its client', async () => {
    const none = { unmatched: undefined, unmatchedSince: undefined, firstUnmatchedAt: undefined, reasons: undefined };
    const w = await returnWorld({ deposit: { ...none, sequence: undefined } });
    const other = '77777777-7777-4777-8777-777777777777';
    w.putOperation({ operationId: other });
    w.table('hashes').put({ claim: `FUNDED#${HASH}`, operationId: other, custodianTransferId: 'transfer-2' });
    await w.poll();
    expect(w.kept().reasons).toEqual(['WRONG_AMOUNT', 'FUNDS_ANOTHER_OPERATION']);
  });

  test.each([
    ['once, an hour after it was told', {}, '99', undefined],
    ['and a day after its credit', CREDITED, '100.5', '2026-08-02T12:00:00.000Z'],
  ])('polls of one that failed are made once more: %s', async (_, given, amount, last) => {
    const deposit = given === CREDITED ? { ...CREDITED.deposit, creditedAt: '2026-08-01T12:00:00.000Z' } : {};
    const w = await returnWorld({ ...given, deposit });
    await w.operate(requestReturnContract, given === CREDITED ? { payoutNeverMade: 'yes' } : {});
    w.custodian.transfer = transfer({ amount, state: 'FAILED' });
    await w.poll();
    expect(w.kept().nextPollAt).toBe('2026-08-01T13:30:00.000Z');
    w.clock.advance(3600);
    await w.pollPlanned();
    expect([w.status(), w.kept().nextPollAt]).toEqual(['RETURN_REQUESTED', last]);
  });

  test('polls of one that was credited go on as without its return, for a day', async () => {
    const w = await returnWorld({
      ...CREDITED,
      deposit: { ...CREDITED.deposit, creditedAt: '2026-08-01T12:00:00.000Z' },
    });
    await w.operate(requestReturnContract, { payoutNeverMade: 'yes' });
    expect(w.status()).toBe('RETURN_REQUESTED');
    await w.poll();
    expect(w.kept().nextPollAt).toBe('2026-08-01T13:00:00.000Z');
  });

  test('another payout of what is being sent back, or was, calls somebody, also when its message comes again', async () => {
    const operation = {
      ...CREDITED.operation,
      status: 'COMPLETED',
      paidOut: false,
      payout: { reference: 'P-1' },
    } as const;
    const w = await returnWorld({ ...CREDITED, operation });
    await w.operate(requestReturnContract, { payoutNeverMade: 'yes' });
    await w.operate(approveReturnContract, {}, BEA);
    await w.pass(2);
    const called = () => w.errors().filter((code) => code === 'RETURN_CONTRADICTED').length;
    await w.tellPaid('came-back', { status: 'PAYOUT_RETURNED' });
    expect([w.status(), called()]).toEqual(['RETURNED', 1]);
    await w.tellPaid('paid-again', { reference: 'P-2' });
    expect(called()).toBe(2);
    await w.tellPaid('paid-again', { reference: 'P-2', isRepeat: true });
    expect(called()).toBe(3);
  });

  test('a poll that began before it was sent, and finds it taken away, calls somebody', async () => {
    const w = await returnWorld();
    await w.ask();
    await w.operate(approveReturnContract);
    w.custodian.answer = 'PENDING';
    let [calls, isSent] = [0, false];
    const parts = w.parts(async () => {
      // The first three calls have read the deposit.
      calls += 1;
      if (calls !== 4 || isSent) return;
      isSent = true;
      await w.pass(1);
      w.custodian.transfer = transfer({ amount: '99', state: 'HELD' });
    });
    await parts.poll();
    expect(isSent).toBe(true);
    await w.poll();
    expect([w.moved().length, w.errors()]).toEqual([1, ['RETURNED_DEPOSIT_TAKEN_BACK']]);
  });

  test('is on no list of what is owed, whatever is decided about its off-ramp meanwhile, until its return ends', async () => {
    const w = await returnWorld(CREDITED);
    await w.operate(requestReturnContract, { payoutNeverMade: 'yes' });
    await w.tellPaid();
    const decide = async (outcome: string) => {
      const sequence = String(w.operation()?.['sequence']);
      expect(
        (await w.operate(resolveContradictionContract, { operationId: OPERATION, outcome, sequence })).status,
      ).toBe(200);
    };
    await decide('paid');
    await decide('not-paid');
    expect(w.kept().owed).toBeUndefined();
    await w.operate(approveReturnContract, {}, BEA);
    await w.operate(approveReturnContract, {}, CARL);
    await w.pass(3);
    expect([w.status(), w.kept().owed]).toEqual(['RETURNED', undefined]);
  });
});

describe('decisions 9, returns: two records of one movement are one deposit', () => {
  const twin = { custodianTransferId: 'transfer-2', movementIndex: '5' };

  test('a second record of what was unmatched or credited is left out, and its client does not read it', async () => {
    const w = await returnWorld({ facts: { amount: '99', movementIndex: '5' } });
    w.putDeposit({ unmatched: undefined, firstUnmatchedAt: undefined, reasons: undefined, sequence: undefined });
    await w.poll();
    expect(w.table('hashes').find({ claim: `MOVEMENT#ETHEREUM#${HASH}#5` })).toMatchObject({ custodianTransferId: ID });
    expect(w.status()).toBe('UNMATCHED');
    const again = await w.creditOf(transfer(twin));
    expect(again.outcome).toBe('RECORDED_TWICE');
    for (const state of ['UNCONFIRMED', 'CONFIRMED'] as const) {
      w.custodian.transfer = transfer({ amount: '99', ...twin, state });
      await w.pollOf('transfer-2');
      const seen = w.table('deposits').find({ custodianTransferId: 'transfer-2' });
      expect(seen?.['operationId']).toBe(state === 'UNCONFIRMED' ? OPERATION : undefined);
    }
    const found = w.table('deposits').find({ custodianTransferId: 'transfer-2' });
    expect(found).toMatchObject({ ignoredReason: 'RECORDED_TWICE' });
    expect(found).not.toHaveProperty('operationId');
  });

  test('a credit claims its movement, so that a second record of it is never sent back', async () => {
    const facts = { movementIndex: '5' };
    const w = await returnWorld({ facts });
    w.putDeposit({ unmatched: undefined, firstUnmatchedAt: undefined, reasons: undefined, sequence: undefined });
    expect((await w.creditOf(transfer(facts))).outcome).toBe('CREDITED');
    w.custodian.transfer = transfer(twin);
    await w.pollOf('transfer-2');
    const second = w.table('deposits').find({ custodianTransferId: 'transfer-2' });
    expect([w.status(), second?.['ignoredReason'], second?.['operationId']]).toEqual([
      'CREDITED',
      'RECORDED_TWICE',
      undefined,
    ]);
  });

  test('a movement that the custodian records twice is sent back once', async () => {
    const w = await returnWorld({ facts: { amount: '99', movementIndex: '5' } });
    w.table('hashes').put({ claim: `MOVEMENT#ETHEREUM#${HASH}#5`, custodianTransferId: 'transfer-2' });
    await w.ask();
    await w.operate(approveReturnContract);
    await w.pass(3);
    expect([w.moved(), w.status(), w.errors()]).toEqual([[], 'UNMATCHED', ['RETURN_OF_RECORDED_TWICE']]);
  });
});
