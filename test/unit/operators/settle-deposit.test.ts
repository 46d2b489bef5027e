import { describe, expect, test } from 'vitest';
import { settleDepositContract, unsettleDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { listOwedContract, listUnmatchedContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { reversed, unmatched } from '#shared/off-ramps/model/deposit-changes.ts';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { OPERATION } from '#test/support/ids.ts';
import { logged } from '#test/support/logged.ts';
import { lookedUp } from '#test/support/looked-up.ts';
import { CREATED_AT, HASH, OTHER_HASH, offRamp, transfer } from '#test/support/off-ramp.ts';

const ID = 'transfer-1';
const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
const NEXT = '2026-08-01T13:00:00.000Z';

/** A deposit that its operation did not await, and whose hash its client reports later. */
async function world(differences: Partial<Deposit> = {}) {
  logged();
  const made = lookedUp();
  await made.create(offRamp());
  made.put({ ...offRamp(), txHash: HASH });
  const filed = {
    unmatched: 'UNMATCHED',
    unmatchedSince: CREATED_AT,
    firstUnmatchedAt: CREATED_AT,
    reasons: ['WRONG_AMOUNT'],
  } as const;
  const unmatchedDeposit: Partial<Deposit> = {
    ...filed,
    reasons: ['WRONG_AMOUNT'],
    sequence: 1,
    clientId: offRamp().clientId,
    userId: offRamp().userId,
  };
  made.putDeposit({ amount: '99' }, { ...unmatchedDeposit, ...differences });
  const kept = () => made.table('deposits').find({ custodianTransferId: ID });
  const settle = (input: object) => made.change(settleDepositContract, { custodianTransferId: ID, ...input });
  const unsettle = () => made.change(unsettleDepositContract, { custodianTransferId: ID });
  const listed = async (list: typeof listUnmatchedContract | typeof listOwedContract) =>
    (await made.lookAt(list, {})).body.items.length;
  const confirm = () => createCreditDeposit(made.dynamo, tables, made.clock)(OPERATION, transfer());
  const end = async () => {
    const { operation } = await confirm();
    await createEndOperation(made.dynamo, tables, made.clock)(operation, { status: 'CANCELLED' });
  };
  return { ...made, kept, settle, unsettle, listed, confirm, end };
}

const returned = { outcome: 'returned', hash: OTHER_HASH };

describe('decisions 9, until returns are built: settle-deposit', () => {
  test('ends the place of an unmatched deposit in its list, and changes no status; unsettle-deposit puts it back', async () => {
    const w = await world();
    const { status, body } = await w.settle(returned);
    expect([status, body.status]).toEqual([200, 'UNMATCHED']);
    expect(body.settled).toMatchObject({
      outcome: 'RETURNED',
      hash: OTHER_HASH,
      by: expect.stringContaining('finance'),
    });
    expect([await w.listed(listUnmatchedContract), w.kept()?.['sequence']]).toEqual([0, 1]);
    expect((await w.settle(returned)).body.code).toBe('OPERATION_STATUS_CONFLICT');
    expect((await w.unsettle()).status).toBe(200);
    expect(w.kept()).toMatchObject({ unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT });
    expect([await w.listed(listUnmatchedContract), (await w.unsettle()).body.code]).toEqual([
      1,
      'OPERATION_STATUS_CONFLICT',
    ]);
  });

  test('a settled deposit is never credited, whoever reports its hash; one that is put back is', async () => {
    const w = await world();
    await w.settle({ outcome: 'kept' });
    expect((await w.confirm()).outcome).toBe('UNMATCHED');
    await w.unsettle();
    expect((await w.confirm()).outcome).toBe('CREDITED');
  });

  test('of two at once, a credit and a settlement, one is done', async () => {
    const w = await world();
    const [credited, settled] = await Promise.all([w.confirm(), w.settle({ outcome: 'kept' })]);
    expect([credited.outcome === 'CREDITED', settled.status === 200].filter(Boolean)).toHaveLength(1);
    expect([w.kept()?.['creditedAt'], w.kept()?.['settled']].filter((one) => one !== undefined)).toHaveLength(1);
  });

  test('a deposit that is settled while it is credited is not credited', async () => {
    const w = await world();
    const settled = { outcome: 'KEPT', by: 'finance', at: CREATED_AT, reason: 'why' };
    const { unmatched: _, unmatchedSince: __, ...rest } = w.kept() ?? {};
    w.beforeNextWrite('deposits', () => w.table('deposits').put({ ...rest, settled }));
    expect((await w.confirm()).outcome).toBe('UNMATCHED');
    expect(w.kept()).toEqual({ ...rest, settled });
  });

  test('a poll that runs meanwhile records nothing, and a later one puts it on no list', async () => {
    const w = await world({ nextPollAt: NEXT });
    const polls = createDepositPolls(w.dynamo, 'deposits', w.clock);
    await w.settle({ outcome: 'kept' });
    const polled = { custodianTransferId: ID, nextPollAt: NEXT, sequence: 1 };
    expect(await polls.record(polled, { unmatched: 'UNMATCHED', unmatchedSince: NEXT })).toBe(false);
    const settled = { outcome: 'KEPT', by: 'finance', at: NEXT, reason: 'why' } as const;
    expect(unmatched({ settled }, transfer(), w.clock.now(), [])).not.toHaveProperty('unmatched');
    expect(reversed({ settled }, transfer(), w.clock.now()).unmatchedSince).toBeUndefined();
  });

  test.each([
    ['a return without a hash', { outcome: 'returned' }],
    ['a hash of another network', { outcome: 'returned', hash: OTHER_HASH.slice(2) }],
    ['the hash that brought it', { outcome: 'returned', hash: HASH }],
    ['a hash of what is kept', { outcome: 'kept', hash: OTHER_HASH }],
  ])('takes no %s', async (_, input) => {
    const w = await world();
    expect((await w.settle(input)).status).toBe(422);
    expect(w.kept()).not.toHaveProperty('settled');
  });

  test('takes a hash once, unless one transaction has returned several', async () => {
    const w = await world();
    await w.settle(returned);
    w.putDeposit(
      { custodianTransferId: 'transfer-2' },
      { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT, firstUnmatchedAt: CREATED_AT, reasons: [] },
    );
    const other = (batch: object) => w.settle({ custodianTransferId: 'transfer-2', ...returned, ...batch });
    expect((await other({})).body.errors).toMatchObject([{ path: 'body.arguments.hash', code: 'ALREADY_USED' }]);
    expect((await other({ batch: 'yes' })).status).toBe(200);
  });

  test('takes an owed deposit after 24 hours, unless something contradicts that it was not paid out', async () => {
    const w = await world({
      reasons: undefined,
      unmatched: undefined,
      unmatchedSince: undefined,
      firstUnmatchedAt: undefined,
    });
    await w.end();
    expect((await w.settle(returned)).body.code).toBe('OPERATION_STATUS_CONFLICT');
    w.clock.advance(24 * 3600);
    const key = { operationId: OPERATION, record: 'OPERATION' };
    const operation = w.table('operations').find(key);
    w.table('operations').put({ ...operation, contradictedSince: NEXT });
    expect((await w.settle(returned)).body.code).toBe('OPERATION_STATUS_CONFLICT');
    w.table('operations').put({ ...operation });
    w.beforeNextWrite('deposits', () => w.table('operations').put({ ...operation, contradictedSince: NEXT }));
    expect((await w.settle(returned)).body.code).toBe('OPERATION_STATUS_CONFLICT');
    expect(w.kept()).not.toHaveProperty('settled');
    w.table('operations').put({ ...operation });
    const nextOf = async () => (await w.look()).next;
    expect((await nextOf()).what).toContain('settle-deposit, returned or kept');
    expect([(await w.settle(returned)).status, await w.listed(listOwedContract)]).toEqual([200, 0]);
    expect((await nextOf()).what).toMatch(/^It is settled: RETURNED/);
    expect([(await w.unsettle()).status, await w.listed(listOwedContract)]).toEqual([200, 1]);
  });

  describe('what arrives after the end of an operation', () => {
    const late = { reasons: ['OPERATION_ENDED'] } satisfies Partial<Deposit>;
    const said = { eventId: 'event-1', status: 'COMPLETED', source: 'payments.payouts', at: CREATED_AT } as const;
    const contradicted = { contradictions: [said], contradictedSince: CREATED_AT };

    test.each<[string, Partial<Deposit>]>([
      ['its own', late],
      ['one too many', { ...late, operationId: undefined, leftOutOf: OPERATION, ignoredReason: 'TOO_MANY' }],
    ])('waits until a person has found out whether payouts paid it: %s', async (_, differences) => {
      const w = await world(differences);
      w.put(offRamp({ status: 'CANCELLED', ...contradicted }));
      for (const outcome of [returned, { outcome: 'kept' }])
        expect((await w.settle(outcome)).body.code).toBe('OPERATION_STATUS_CONFLICT');
      const { items } = (await w.lookAt(listUnmatchedContract, {})).body;
      expect(items).toMatchObject([{ who: 'FINANCE', what: expect.stringContaining('resolve-contradiction') }]);
      expect(w.kept()).not.toHaveProperty('settled');
      w.put(offRamp({ status: 'CANCELLED', paidOut: false }));
      expect((await w.settle(returned)).status).toBe(200);
    });

    test('is kept, and not returned, once a person says that it was paid', async () => {
      const w = await world(late);
      w.put(offRamp({ status: 'CANCELLED', paidOut: true }));
      expect((await w.settle(returned)).body.code).toBe('OPERATION_STATUS_CONFLICT');
      const { items } = (await w.lookAt(listUnmatchedContract, {})).body;
      expect(items).toMatchObject([{ what: expect.stringContaining('was paid out, so nothing is returned') }]);
      expect((await w.settle({ outcome: 'kept' })).status).toBe(200);
    });

    test.each([contradicted, { paidOut: true }])('is not returned when that is said meanwhile: %o', async (said) => {
      const w = await world(late);
      w.put(offRamp({ status: 'CANCELLED' }));
      w.beforeNextWrite('deposits', () => w.put(offRamp({ status: 'CANCELLED', ...said })));
      expect((await w.settle(returned)).body.code).toBe('OPERATION_STATUS_CONFLICT');
      expect(w.kept()).not.toHaveProperty('settled');
    });

    test.each([contradicted, { paidOut: true }])(
      'waits for nobody when another one is that of its payout: %o',
      async (said) => {
        const w = await world({ reasons: ['ALREADY_FUNDED'] });
        w.put(offRamp({ status: 'CANCELLED', verifiedTxHash: OTHER_HASH, ...said }));
        const { items } = (await w.lookAt(listUnmatchedContract, {})).body;
        expect(items).toMatchObject([{ what: expect.stringContaining('settle-deposit, returned or kept') }]);
        expect((await w.settle(returned)).status).toBe(200);
      },
    );
  });

  test.each(['FAILED', 'UNCONFIRMED'] as const)('takes nothing that waits for nobody: %s', async (state) => {
    const w = await world();
    w.putDeposit({ state }, { sequence: 1 });
    expect((await w.settle({ outcome: 'kept' })).body.code).toBe('OPERATION_STATUS_CONFLICT');
    expect((await w.settle({ custodianTransferId: 'none', outcome: 'kept' })).status).toBe(404);
  });
});
