import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readUserContract } from '#shared/clients/client-lookups.ts';
import { refuseIfClosed } from '#shared/clients/closed-user.ts';
import { declareWalletContract, updateUserContract } from '#shared/clients/user-commands.ts';
import { type Deposit, storedTransfer } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { eraseUserContract, exportUserContract } from '#shared/operators/person-contract.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { CLIENT, OPERATION, USER, WALLET } from '#test/support/ids.ts';
import { HASH, OTHER_HASH, offRamp, transfer } from '#test/support/off-ramp.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';
import { opsWorld } from '#test/support/ops-world.ts';

const PAYIN = '55555555-5555-4555-8555-000000000001';
const NOW = '2026-08-01T12:00:00.000Z';
const LONG_AGO = '2026-01-01T00:00:00.000Z';

const payin: Payin = {
  ...{ payinId: PAYIN, clientId: CLIENT, userId: USER, status: 'COMPLETED', sequence: 3, currency: 'COP' },
  ...{ amount: '15000', paymentMethod: 'NEQUI', rail: 'simulated', phone: '3107654321', createdAt: LONG_AGO },
  statusHistory: [{ status: 'COMPLETED', at: LONG_AGO }],
};

const ended = offRamp({ status: 'COMPLETED', endedAt: LONG_AGO, createdAt: LONG_AGO });

const deposit: Deposit = {
  ...{ custodianTransferId: 'simulated:1', network: 'ETHEREUM', txHash: transfer().txHash },
  ...{ firstNotifiedAt: LONG_AGO, lastNotifiedAt: LONG_AGO, detectedAt: LONG_AGO, creditedAt: LONG_AGO },
  ...{ operationId: OPERATION, userId: USER, clientId: CLIENT, transfer: storedTransfer(transfer()) },
};

interface Records {
  readonly operation?: OffRamp;
  readonly deposit?: Deposit;
  readonly payin?: Payin;
}

/** A user whose records are old enough to be erased, unless a test has other records. */
function world(records: Records = {}) {
  const made = operatorsWorld(NOW);
  const { table } = made;
  const payer = { fullName: 'Example Payer', email: 'payer@example.com', documentNumber: '1020304050' };
  table('users').put({ userId: USER, clientId: CLIENT, phone: '3001234567', payer });
  table('wallets').put({ userId: USER, walletId: WALLET, network: 'ETHEREUM', address: offRamp().senderAddress });
  table('operations').put({ ...(records.operation ?? ended), record: 'OPERATION' });
  table('deposits').put({ ...(records.deposit ?? deposit) });
  table('payins').put({ ...payinItem(records.payin ?? payin, undefined) });
  const erase = () => made.change(eraseUserContract, { userId: USER });
  const afterAMinute = () => made.clock.advance(60);
  const user = () => table('users').find({ userId: USER });
  return { ...made, erase, afterAMinute, user };
}

describe('persons have their data, and have them erased (decisions 11)', () => {
  test('the first call ends new orders, the second one, a minute later, erases e-mail address and phone number', async () => {
    const { erase, afterAMinute, user, table } = world();
    const eraseFrom = '2026-08-01T12:01:00.000Z';
    const awaits = `Nothing is erased yet: the same command erases it from ${eraseFrom} on.`;
    expect((await erase()).body).toEqual({ userId: USER, status: 'CLOSED', eraseFrom, awaits });
    expect((await erase()).body).toMatchObject({ status: 'CLOSED', eraseFrom });
    expect(user()).toMatchObject({ phone: '3001234567', closedAt: NOW });
    afterAMinute();
    const { body } = await erase();
    expect(body).toMatchObject({ status: 'ERASED', erasedAt: '2026-08-01T12:01:00.000Z' });
    expect(user()).toEqual({
      ...{ userId: USER, clientId: CLIENT, closedAt: NOW, erasedAt: '2026-08-01T12:01:00.000Z' },
      payer: { fullName: 'Example Payer', documentNumber: '1020304050' },
      expiresAt: Date.parse('2026-08-01T12:01:00.000Z') / 1000 + 3660 * 24 * 3600,
    });
    expect(table('wallets').find({ userId: USER, walletId: WALLET })).toMatchObject({
      expiresAt: Date.parse(body.restGoesAt) / 1000,
    });
    const { phone: _, ...withoutPhone } = payinItem(payin, undefined);
    expect(table('payins').find({ payinId: PAYIN, record: 'PAYIN' })).toEqual(JSON.parse(JSON.stringify(withoutPhone)));
  });

  test('nothing is left of the payer in a pay-in that failed: the rail may have quoted it', async () => {
    const failed = { ...payin, status: 'FAILED', statusHistory: [{ status: 'FAILED', at: LONG_AGO }] } as const;
    const { phone: _, ...withoutPhone } = failed;
    for (const one of [failed, withoutPhone]) {
      const records = { payin: { ...one, failureReason: 'phone_number: 573107654321 is not valid' } };
      const { erase, afterAMinute, table, look } = world(records);
      const { body } = await look(exportUserContract, { userId: USER });
      expect(JSON.stringify(body.payIns)).toContain('573107654321');
      await erase();
      afterAMinute();
      expect((await erase()).body.status).toBe('ERASED');
      expect(JSON.stringify(table('payins').items())).not.toContain('3107654321');
    }
  });

  test('nothing is left of what others have said of an end, nor of the addresses to pay at and to return to: they may name the person', async () => {
    const words = 'The account 0123 of Example Payer is closed';
    const said = { eventId: 'evt_2', status: 'PAYOUT_RETURNED', source: 'payments.payouts', at: LONG_AGO } as const;
    const contradictions = [{ ...said, reason: words, closedAt: LONG_AGO }];
    const records = {
      operation: { ...ended, status: 'FAILED', endedBy: 'evt_1', endReason: words, contradictions },
      payin: { ...payin, redirectUrl: 'https://shop.example/back?of=payer@example.com' },
    } as const;
    const link = { payinId: CLIENT, paymentUrl: 'https://rail.example/pay?email=payer@example.com' };
    const { erase, afterAMinute, table, look } = world(records);
    const { body } = await look(exportUserContract, { userId: USER });
    table('payins').put({ ...payinItem({ ...payin, ...link, phone: undefined }, undefined) });
    expect(body.offRamps).toMatchObject([{ endReason: words, contradictions: [{ reason: words }] }]);
    expect(body.payIns).toMatchObject([{ redirectUrl: records.payin.redirectUrl }]);
    await erase();
    afterAMinute();
    expect((await erase()).body.status).toBe('ERASED');
    const left = [...table('operations').items(), ...table('payins').items()];
    expect(JSON.stringify(left)).not.toMatch(/Example Payer|payer@example.com/);
    expect(left[0]).toMatchObject({ status: 'FAILED', endedBy: 'evt_1', contradictions: [said] });
  });

  test("the service's own reason of an end stays, also where others have said something else", async () => {
    const own = { ...ended, endReason: 'CANCELLED_BY_CLIENT' } as const;
    const said = { eventId: 'evt_2', status: 'PAYOUT_RETURNED', source: 'payments.payouts', at: LONG_AGO } as const;
    for (const contradictions of [undefined, [{ ...said, closedAt: LONG_AGO }]]) {
      const words = contradictions?.map((one) => ({ ...one, reason: 'Closed' }));
      const { erase, afterAMinute, table } = world({ operation: { ...own, contradictions: words } });
      await erase();
      afterAMinute();
      expect((await erase()).body.status).toBe('ERASED');
      const sequence = words === undefined ? own.sequence : own.sequence + 1;
      expect(table('operations').items()).toEqual([{ ...own, contradictions, sequence, record: 'OPERATION' }]);
    }
  });

  test('until then the first call can be undone: it was for another user', async () => {
    const { erase, afterAMinute, user, change, table } = world();
    const undo = () => change(eraseUserContract, { userId: USER, undo: true });
    const before = user();
    await erase();
    for (const { body } of [await undo(), await undo()]) expect(body).toEqual({ userId: USER, status: 'OPEN' });
    expect(user()).toEqual(before);
    expect(table('audit').items()).toContainEqual(
      expect.objectContaining({ command: 'erase-user', arguments: { userId: USER, undo: true } }),
    );
    afterAMinute();
    expect((await erase()).body.status).toBe('CLOSED');
    afterAMinute();
    await erase();
    expect(await undo()).toMatchObject({ status: 409, body: { code: 'USER_ERASED' } });
  });

  test.each([
    ['it breaks off', undefined, [500, undefined]],
    ['another operator has undone the first call, and repeated it', '2026-08-01T12:00:59.000Z', [200, 'CLOSED']],
  ])('before the write that ends the undoing nothing is erased: %s', async (_, closedAt, answer) => {
    captureLogs();
    const { erase, afterAMinute, change, table, user, beforeNextWrite } = world();
    await erase();
    afterAMinute();
    const before = { payins: table('payins').items(), wallets: table('wallets').items(), phone: '3001234567' };
    // The first write repeats that the user is closed; the second one ends the undoing.
    beforeNextWrite('users', () =>
      beforeNextWrite('users', () => {
        if (closedAt === undefined) throw new Error('It was stopped.');
        table('users').put({ ...user(), closedAt });
      }),
    );
    const { status, body } = await erase();
    expect([status, body.status === 500 ? undefined : body.status]).toEqual(answer);
    const { phone } = z.object({ phone: z.string() }).parse(user());
    expect({ payins: table('payins').items(), wallets: table('wallets').items(), phone }).toEqual(before);
    expect((await change(eraseUserContract, { userId: USER, undo: true })).body.status).toBe('OPEN');
  });

  test('an undo that the erasure overtakes is refused, and says so', async () => {
    const { erase, change, user, table, beforeNextWrite } = world();
    await erase();
    beforeNextWrite('users', () => table('users').put({ ...user(), erasedAt: NOW }));
    const undone = await change(eraseUserContract, { userId: USER, undo: true });
    expect(undone).toMatchObject({ status: 409, body: { code: 'USER_ERASED' } });
  });

  test('a repeat changes no time, and completes an erasure that broke off', async () => {
    const { erase, afterAMinute, table } = world();
    await erase();
    afterAMinute();
    const first = await erase();
    expect(first.body.status).toBe('ERASED');
    table('payins').put({ ...payinItem(payin, undefined) });
    afterAMinute();
    expect((await erase()).body).toEqual(first.body);
    expect(table('payins').find({ payinId: PAYIN, record: 'PAYIN' })).not.toHaveProperty('phone');
  });

  test('what is said of a payout after that keeps its words until somebody has resolved it', async () => {
    const { erase, afterAMinute, table, user } = world();
    await erase();
    afterAMinute();
    await erase();
    const said = { eventId: 'evt_2', status: 'PAYOUT_RETURNED', source: 'payments.payouts', at: NOW } as const;
    const words = { contradictions: [{ ...said, reason: 'Closed' }] };
    table('operations').put({ ...ended, ...words, contradictedSince: NOW, record: 'OPERATION' });
    const before = user();
    expect((await erase()).body.code).toBe('USER_HAS_OPEN_BUSINESS');
    expect([user(), table('operations').items()]).toMatchObject([before, [words]]);
    table('operations').put({ ...ended, ...words, record: 'OPERATION' });
    expect((await erase()).body.status).toBe('ERASED');
    expect(table('operations').items()).toMatchObject([{ contradictions: [said] }]);
    expect(JSON.stringify(table('operations').items())).not.toContain('Closed');
  });

  const unmatched: Partial<Deposit> = {
    creditedAt: undefined,
    reasons: ['WRONG_AMOUNT'],
    unmatched: 'UNMATCHED',
    unmatchedSince: NOW,
  };

  test.each<[what: string, records: Records, says: string]>([
    ['an off-ramp that awaits its deposit', { operation: offRamp() }, 'AWAITING_DEPOSIT'],
    ['one that awaits its payout', { operation: offRamp({ status: 'PENDING' }) }, 'PENDING'],
    ['a contradicted payout', { operation: { ...ended, contradictedSince: NOW } }, 'contradict'],
    ['an unmatched deposit', { deposit: { ...deposit, ...unmatched } }, 'UNMATCHED'],
    ['one on its way', { deposit: { ...deposit, creditedAt: undefined } }, 'DETECTED'],
    ['an owed one', { deposit: { ...deposit, owed: 'OWED', owedSince: NOW } }, 'OWED'],
    ['one that was taken back', { deposit: { ...deposit, unmatched: 'REVERSED', unmatchedSince: NOW } }, 'REVERSED'],
    ['an open pay-in', { payin: { ...payin, status: 'PENDING' } }, 'PENDING'],
    ['a wrong amount at the rail', { payin: { ...payin, mismatchedAt: NOW } }, 'another amount'],
    [
      'a pay-in that ended 29 days ago',
      { payin: { ...payin, statusHistory: [{ status: 'EXPIRED', at: '2026-07-03T12:00:00.001Z' }] } },
      'may still be paid',
    ],
  ])('%s: nothing is erased, and the answer says why', async (_, records, says) => {
    const { erase, user } = world(records);
    const { status, body } = await erase();
    expect([status, body.code]).toEqual([409, 'USER_HAS_OPEN_BUSINESS']);
    expect(body.detail).toContain(says);
    expect(user()).not.toHaveProperty('closedAt');
  });

  test('a deposit that cannot be read may be open: nothing is erased while there is one', async () => {
    const { erase, table } = world();
    table('deposits').put({ custodianTransferId: 'simulated:2', operationId: OPERATION, detectedAt: LONG_AGO });
    expect((await erase()).body.detail).toBe('The deposit simulated:2 cannot be read.');
  });

  test('a change that began before the first call lets the user have orders again', async () => {
    const { erase, afterAMinute, user, table } = world();
    await erase();
    table('operations').put({ ...offRamp(), record: 'OPERATION' });
    afterAMinute();
    expect((await erase()).body.code).toBe('USER_HAS_OPEN_BUSINESS');
    expect(user()).not.toHaveProperty('closedAt');
  });

  test('a settled deposit is over', async () => {
    const settled = { outcome: 'KEPT', by: 'bea', at: NOW, reason: 'Agreed' } as const;
    const { erase } = world({ deposit: { ...deposit, ...unmatched, settled } });
    expect((await erase()).body.status).toBe('CLOSED');
  });

  test('from the first call on nothing of the user can be changed', async () => {
    const { erase, change } = world();
    await erase();
    const wallet = { userId: USER, network: 'ETHEREUM', address: offRamp().senderAddress };
    const update = { userId: USER, payer: { email: 'again@example.com' } };
    for (const [contract, input] of [
      [updateUserContract, update],
      [declareWalletContract, wallet],
    ] as const)
      expect((await change(contract, input)).body.code).toBe('USER_ERASED');
    expect(
      (await expectApiError(async () => refuseIfClosed({ userId: USER, clientId: CLIENT, closedAt: NOW }))).code,
    ).toBe('USER_ERASED');
  });

  test('the export has everything of the user, and nothing of another one', async () => {
    const { look, table } = world();
    table('operations').put({ ...offRamp({ operationId: WALLET, userId: CLIENT }), record: 'OPERATION' });
    const { body } = await look(exportUserContract, { userId: USER });
    expect(body).toMatchObject({
      payer: { fullName: 'Example Payer', email: 'payer@example.com', phone: '3001234567' },
      wallets: [{ walletId: WALLET }],
      offRamps: [{ operationId: OPERATION, deposits: [{ custodianTransferId: 'simulated:1' }] }],
      payIns: [{ payinId: PAYIN, phone: '3107654321' }],
    });
    expect(body.offRamps).toHaveLength(1);
    expect(body).not.toHaveProperty('nextAfter');
  });

  test('the export has each field of an order that is kept, and names a deposit that cannot be read', async () => {
    const { look, table } = world({
      operation: { ...ended, endReason: 'CANCELLED_BY_CLIENT' },
      payin: { ...payin, externalReference: 'order-1', expirationDate: NOW },
    });
    table('deposits').put({ custodianTransferId: 'simulated:2', operationId: OPERATION, detectedAt: LONG_AGO });
    const { body } = await look(exportUserContract, { userId: USER });
    const { clientId: _, userId: __, ...operation } = { ...ended, endReason: 'CANCELLED_BY_CLIENT' };
    const { clientId: ___, userId: ____, ...order } = { ...payin, externalReference: 'order-1', expirationDate: NOW };
    expect(body.offRamps).toEqual([
      { ...JSON.parse(JSON.stringify(operation)), deposits: [expect.anything()], unreadableDeposits: ['simulated:2'] },
    ]);
    expect(body.payIns).toEqual([order]);
  });

  test('the export has the reported hashes of an off-ramp, wrong ones too, and nothing of the service beside them', async () => {
    const { look, table } = world();
    const reported = {
      txHash: HASH,
      windowStartsAt: LONG_AGO,
      windowEndsAt: LONG_AGO,
      earlierAttempts: [[1, OTHER_HASH]],
    };
    const kept = { operationId: OPERATION, clientId: CLIENT, attempt: 2, run: 1, amount: '1', token: 'USDC' };
    table('operations').put({ ...kept, ...reported, network: 'ETHEREUM', polls: [['a']], record: 'VERIFICATION' });
    const { body } = await look(exportUserContract, { userId: USER });
    expect(body.offRamps.map((one: { reported: unknown }) => one.reported)).toEqual([reported]);
  });

  test('the export says of which off-ramp the reported hashes cannot be read', async () => {
    const { look, table } = world();
    table('operations').put({ operationId: OPERATION, txHash: 1, record: 'VERIFICATION' });
    const { body } = await look(exportUserContract, { userId: USER });
    expect(body.offRamps).toMatchObject([{ operationId: OPERATION, unreadableReported: true }]);
    expect(body.offRamps[0]).not.toHaveProperty('reported');
  });

  test('an off-ramp or a pay-in that cannot be read is named: by the export, and by the erasure, which it hinders', async () => {
    const { look, erase, table } = world();
    table('operations').put({ ...ended, operationId: WALLET, sequence: 'none', record: 'OPERATION' });
    table('payins').put({ ...payinItem(payin, undefined), payinId: CLIENT, statusHistory: 'none' });
    const { body } = await look(exportUserContract, { userId: USER });
    expect(body).toMatchObject({
      offRamps: [{ operationId: OPERATION }],
      payIns: [{ payinId: PAYIN }],
      unreadable: [WALLET, CLIENT],
    });
    expect((await erase()).body).toMatchObject({
      code: 'USER_HAS_OPEN_BUSINESS',
      detail: `The off-ramp ${WALLET} cannot be read. The pay-in ${CLIENT} cannot be read.`,
    });
  });

  test('a wallet that cannot be read is named, and hinders neither export nor erasure, which needs its id alone', async () => {
    const { look, erase, afterAMinute, table } = world();
    const lines = captureLogs();
    table('wallets').put({ userId: USER, walletId: OPERATION, network: 'GONE' });
    const named = { wallets: [{ walletId: WALLET }], unreadableWallets: [OPERATION] };
    expect((await look(exportUserContract, { userId: USER })).body).toMatchObject(named);
    expect((await look(readUserContract, { userId: USER })).body).toMatchObject(named);
    expect(lines).toContainEqual(expect.objectContaining({ code: 'ITEM_UNREADABLE' }));
    await erase();
    afterAMinute();
    expect((await erase()).body.status).toBe('ERASED');
    expect(table('wallets').find({ userId: USER, walletId: OPERATION })).toHaveProperty('expiresAt');
  });

  test('the export of much is read page by page: each record once', async () => {
    const { look, table } = world();
    const idOf = (place: number) => `66666666-6666-4666-8666-${String(place).padStart(12, '0')}`;
    const at = (place: number) => new Date(Date.parse(LONG_AGO) + place * 1000).toISOString();
    for (let place = 1; place <= 150; place += 1) {
      table('operations').put({ ...ended, operationId: idOf(place), createdAt: at(place), record: 'OPERATION' });
      table('payins').put({ ...payinItem({ ...payin, payinId: idOf(place), createdAt: at(place) }, undefined) });
    }
    const found: string[] = [];
    let after: string | undefined;
    do {
      const { body } = await look(exportUserContract, { userId: USER, ...(after !== undefined && { after }) });
      found.push(...body.offRamps.map((one: OffRamp) => `off-ramp ${one.operationId}`));
      found.push(...body.payIns.map((one: Payin) => `pay-in ${one.payinId}`));
      after = body.nextAfter;
    } while (after !== undefined);
    expect(found).toHaveLength(302);
    expect(new Set(found).size).toBe(302);
  });
});

test('the command line shows whose data are to be erased, so that a mistyped id is seen', async () => {
  const { ops, table } = opsWorld();
  table('users').put({ userId: USER, clientId: CLIENT, payer: { fullName: 'Another Payer' } });
  const questions: string[] = [];
  const agrees = async (question: string) => questions.push(question) > 1;
  const typed = ['erase-user', USER, '--reason', 'Request 4711'];
  const refused = await ops(typed, { person: { agrees } });
  expect([refused.status, refused.said]).toEqual([2, expect.stringMatching(/Another Payer.*Nothing was done/s)]);
  expect((await ops([...typed, '--undo'], { person: { agrees } })).printed).toMatch(/status +OPEN/);
  expect(questions).toEqual([expect.stringMatching(/for ever/), expect.stringMatching(/its data stay/)]);
});
