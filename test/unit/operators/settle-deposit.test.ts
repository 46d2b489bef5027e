import { describe, expect, test } from 'vitest';
import { describeDeposit } from '#shared/off-ramps/contract/describe-deposit.ts';
import {
  confirmDepositContract,
  settleDepositContract,
  unsettleDepositContract,
} from '#shared/off-ramps/contract/operator-commands.ts';
import {
  listOwedContract,
  listUnmatchedContract,
  readDepositContract,
} from '#shared/off-ramps/contract/operator-lookups.ts';
import { approveReturnContract, requestReturnContract } from '#shared/off-ramps/contract/return-commands.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { creditReversed, transferUnmatched } from '#shared/off-ramps/model/deposit-changes.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { createContradictionRepository } from '#shared/off-ramps/transitions/keep-contradiction.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { OPERATION } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import {
  CREATED_AT,
  HASH,
  OTHER_HASH,
  offRamp,
  RETURN_TERMS,
  RULES,
  SENDER_ADDRESS,
  transfer,
} from '#test/support/off-ramp.ts';
import { OPERATOR, SECOND_OPERATOR } from '#test/support/operators-world.ts';

const ID = 'transfer-1';
const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
const NEXT = '2026-08-01T13:00:00.000Z';

/** A deposit that its operation did not await, and whose hash its client reports later. */
async function world(differences: Partial<Deposit> = {}) {
  captureLogs();
  const made = lookUpWorld();
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
  const propose = (input: object = {}, who = OPERATOR) =>
    made.change(settleDepositContract, { custodianTransferId: ID, outcome: 'kept', ...input }, 'Case 17', who);
  const confirm = (proposalId: string, who = SECOND_OPERATOR) =>
    made.change(confirmDepositContract, { proposalId }, 'Case 17', who);
  /** Settles by two persons; if the proposal is refused, the refusal is the answer. */
  const settle = async () => {
    const proposed = await propose();
    return proposed.status === 200 ? confirm(proposed.body.proposal.proposalId) : proposed;
  };
  const nextOf = async (): Promise<string> => (await made.lookAt(readDepositContract, { deposit: ID })).body.next.what;
  const unsettle = () => made.change(unsettleDepositContract, { custodianTransferId: ID });
  const listed = async (list: typeof listUnmatchedContract | typeof listOwedContract) =>
    (await made.lookAt(list, {})).body.items.length;
  const credit = () => createCreditDeposit(made.dynamo, tables, made.clock, RULES)(OPERATION, transfer());
  const end = async () => {
    const { operation } = await credit();
    await createEndOperation(made.dynamo, tables, made.clock)(operation, { status: 'CANCELLED' });
  };
  return { ...made, kept, nextOf, propose, confirm, settle, unsettle, listed, credit, end };
}

describe('decisions 9, returns: settle-deposit', () => {
  test('two persons end the place of an unmatched deposit in its list, and two put it back; its status stays', async () => {
    const w = await world();
    const proposed = await w.propose();
    expect([proposed.body.status, await w.listed(listUnmatchedContract)]).toEqual(['UNMATCHED', 1]);
    const { proposalId } = proposed.body.proposal;
    expect((await w.confirm(proposalId, OPERATOR)).status).toBe(409);
    const waits = new RegExp(
      `never added up.* session-1 has proposed at \\S+: settle-deposit kept\\. .*: confirm-deposit ${proposalId}\\.`,
    );
    const { what } = (await w.lookAt(listUnmatchedContract, {})).body.items[0];
    expect([what, await w.nextOf(), (await w.look()).next.what]).toEqual(Array(3).fill(expect.stringMatching(waits)));
    expect(what).not.toContain('request-return');
    const { status, body } = await w.confirm(proposalId);
    expect([status, body.status]).toEqual([200, 'UNMATCHED']);
    expect(body.settled).toMatchObject({ outcome: 'KEPT', by: OPERATOR, confirmedBy: SECOND_OPERATOR });
    expect([await w.listed(listUnmatchedContract), w.kept()?.['sequence']]).toEqual([0, 1]);
    expect((await w.propose()).body.code).toBe('OPERATION_STATUS_CONFLICT');
    const undone = await w.unsettle();
    expect(await w.nextOf()).toMatch(/^It is settled: KEPT.* has proposed at \S+: unsettle-deposit\. /);
    expect([undone.body.settled.outcome, await w.listed(listUnmatchedContract)]).toEqual(['KEPT', 0]);
    expect((await w.confirm(undone.body.proposal.proposalId)).status).toBe(200);
    expect(w.kept()).toMatchObject({ unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT });
    expect([await w.listed(listUnmatchedContract), (await w.unsettle()).body.code]).toEqual([
      1,
      'OPERATION_STATUS_CONFLICT',
    ]);
  });

  test('of one that nobody has asked the custodian for yet the refusal says so', async () => {
    const w = await world();
    const { transfer: _, unmatched: __, ...notified } = { ...w.kept() };
    w.table('deposits').put(notified);
    const why = 'and neither unmatched nor owed: it does not wait for finance operations.';
    expect((await w.propose()).body.detail).toBe(`It is not seen yet, ${why}`);
    const approval = await w.change(approveReturnContract, { custodianTransferId: ID });
    expect(approval.body.detail).toBe('It is not seen yet: request-return comes first.');
  });

  test('what one person settled when one was enough, one puts back', async () => {
    const w = await world({
      unmatched: undefined,
      settled: { outcome: 'KEPT', by: 'x', at: CREATED_AT, reason: 'why' },
    });
    expect((await w.unsettle()).status).toBe(200);
    expect(await w.listed(listUnmatchedContract)).toBe(1);
  });

  test('decisions 9: what was settled as returned before returns were built is RETURNED, and nothing undoes that', async () => {
    const settled = { outcome: 'RETURNED', hash: OTHER_HASH, by: 'x', at: CREATED_AT, reason: 'why' } as const;
    const w = await world({ unmatched: undefined, updatedAt: CREATED_AT, settled });
    expect((await w.lookAt(readDepositContract, { deposit: ID })).body).toMatchObject({ status: 'RETURNED' });
    const [deposit] = w.table('deposits').items();
    expect(describeDeposit(deposit as Deposit, offRamp(), RETURN_TERMS)).toMatchObject({
      ...{ status: 'RETURNED', returnable: false },
      return: { amount: '99', fee: '0', address: SENDER_ADDRESS, requestedAt: CREATED_AT, txHash: OTHER_HASH },
    });
    for (const refused of [w.unsettle(), w.propose(), w.change(requestReturnContract, { custodianTransferId: ID })])
      expect((await refused).status).toBe(409);
    expect((await w.credit()).outcome).toBe('UNMATCHED');
  });

  test('a settled deposit is never credited, whoever reports its hash; one that is put back is', async () => {
    const w = await world();
    await w.settle();
    expect((await w.credit()).outcome).toBe('UNMATCHED');
    await w.confirm((await w.unsettle()).body.proposal.proposalId);
    expect((await w.credit()).outcome).toBe('CREDITED');
  });

  test('of two at once, a credit and a settlement, one is done', async () => {
    const w = await world();
    const [credited, settled] = await Promise.all([w.credit(), w.settle()]);
    expect([credited.outcome === 'CREDITED', settled.status === 200].filter(Boolean)).toHaveLength(1);
    expect([w.kept()?.['creditedAt'], w.kept()?.['settled']].filter((one) => one !== undefined)).toHaveLength(1);
  });

  test('a deposit that is settled while it is credited is not credited', async () => {
    const w = await world();
    const settled = { outcome: 'KEPT', by: 'finance', at: CREATED_AT, reason: 'why' };
    const { unmatched: _, unmatchedSince: __, ...rest } = w.kept() ?? {};
    w.beforeNextWrite('deposits', () => w.table('deposits').put({ ...rest, settled }));
    expect((await w.credit()).outcome).toBe('UNMATCHED');
    expect(w.kept()).toEqual({ ...rest, settled });
  });

  test('a poll that runs meanwhile records nothing, and a later one puts it on no list', async () => {
    const w = await world({ nextPollAt: NEXT });
    const polls = createDepositPolls(w.dynamo, 'deposits', w.clock);
    await w.settle();
    const polled = { custodianTransferId: ID, nextPollAt: NEXT, sequence: 1 };
    expect(await polls.record(polled, { unmatched: 'UNMATCHED', unmatchedSince: NEXT })).toBe(false);
    const settled = { outcome: 'KEPT', by: 'finance', at: NEXT, reason: 'why' } as const;
    expect(transferUnmatched({ settled }, transfer(), w.clock.now(), [])).not.toHaveProperty('unmatched');
    expect(creditReversed({ settled }, transfer(), w.clock.now()).unmatchedSince).toBeUndefined();
  });

  /** Never unmatched. */
  const fresh = { reasons: undefined, unmatched: undefined, unmatchedSince: undefined, firstUnmatchedAt: undefined };

  test('a deposit that is put back is not owed when it is said meanwhile that its off-ramp was paid out', async () => {
    const w = await world(fresh);
    await w.end();
    w.clock.advance(24 * 3600);
    await w.settle();
    const { proposalId } = (await w.unsettle()).body.proposal;
    const operation = w.table('operations').find({ operationId: OPERATION, record: 'OPERATION' });
    const paid = { ...operation, paidOut: true, sequence: Number(operation?.['sequence']) + 1 };
    w.beforeNextWrite('deposits', () => w.table('operations').put(paid));
    expect([(await w.confirm(proposalId)).status, w.kept()?.['settled'], w.kept()?.['owed']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });

  test('a kept deposit whose off-ramp is called paid, and then not paid after all, is owed again and in no list', async () => {
    const w = await world(fresh);
    await w.end();
    w.clock.advance(24 * 3600);
    await w.settle();
    const { resolve } = createContradictionRepository(w.dynamo, tables, w.clock);
    const ended = await createOffRampRepository(w.dynamo, 'operations').find(OPERATION);
    if (ended !== undefined) await resolve(await resolve(ended, true), false);
    expect([w.kept()?.['owed'], await w.listed(listOwedContract)]).toEqual(['OWED', 0]);
    expect(await w.nextOf()).toContain('It is settled: KEPT');
  });

  test('takes an owed deposit after 24 hours, unless something contradicts that it was not paid out', async () => {
    const w = await world(fresh);
    await w.end();
    expect((await w.settle()).body.code).toBe('OPERATION_STATUS_CONFLICT');
    w.clock.advance(24 * 3600);
    const key = { operationId: OPERATION, record: 'OPERATION' };
    const operation = w.table('operations').find(key);
    w.table('operations').put({ ...operation, contradictedSince: NEXT });
    expect((await w.settle()).body.code).toBe('OPERATION_STATUS_CONFLICT');
    w.table('operations').put({ ...operation });
    w.beforeNextWrite('deposits', () => w.table('operations').put({ ...operation, contradictedSince: NEXT }));
    expect((await w.settle()).body.code).toBe('OPERATION_STATUS_CONFLICT');
    expect(w.kept()).not.toHaveProperty('settled');
    w.table('operations').put({ ...operation });
    const nextOf = async () => (await w.look()).next;
    // The proposal whose confirmation was refused is open.
    expect((await nextOf()).what).toMatch(/not paid out\. session-1 has proposed at \S+: settle-deposit kept/);
    const kept = { ...w.kept() };
    const { owed: _, owedSince: __, ...paid } = kept;
    w.table('deposits').put(paid);
    w.table('operations').put({ ...operation, paidOut: true });
    expect(await w.nextOf()).toBe('It funds its operation.');
    w.table('deposits').put(kept);
    w.table('operations').put({ ...operation });
    expect([(await w.settle()).status, await w.listed(listOwedContract)]).toEqual([200, 0]);
    expect((await nextOf()).what).toMatch(/^It is settled: KEPT/);
    await w.confirm((await w.unsettle()).body.proposal.proposalId);
    expect(await w.listed(listOwedContract)).toBe(1);
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
      expect((await w.settle()).body.code).toBe('OPERATION_STATUS_CONFLICT');
      const { items } = (await w.lookAt(listUnmatchedContract, {})).body;
      expect(items).toMatchObject([{ who: 'FINANCE', what: expect.stringContaining('resolve-contradiction') }]);
      expect(w.kept()).not.toHaveProperty('settled');
      w.put(offRamp({ status: 'CANCELLED', paidOut: false }));
      expect((await w.settle()).status).toBe(200);
    });

    test('is kept, and not returned, once a person says that it was paid', async () => {
      const w = await world(late);
      w.put(offRamp({ status: 'CANCELLED', paidOut: true }));
      const { items } = (await w.lookAt(listUnmatchedContract, {})).body;
      expect(items).toMatchObject([{ what: expect.stringContaining('was paid out, so nothing is returned') }]);
      expect((await w.settle()).status).toBe(200);
    });

    test('is not kept when a contradiction is said meanwhile', async () => {
      const w = await world(late);
      w.put(offRamp({ status: 'CANCELLED' }));
      w.beforeNextWrite('deposits', () => w.put(offRamp({ status: 'CANCELLED', ...contradicted })));
      expect((await w.settle()).body.code).toBe('OPERATION_STATUS_CONFLICT');
      expect(w.kept()).not.toHaveProperty('settled');
    });

    test.each([contradicted, { paidOut: true }])(
      'waits for nobody when another one is that of its payout: %o',
      async (said) => {
        const w = await world({ reasons: ['ALREADY_FUNDED'] });
        w.put(offRamp({ status: 'CANCELLED', verifiedTxHash: OTHER_HASH, ...said }));
        const { items } = (await w.lookAt(listUnmatchedContract, {})).body;
        expect(items).toMatchObject([{ what: expect.stringContaining('settle-deposit') }]);
        expect((await w.settle()).status).toBe(200);
      },
    );
  });

  const listedSince = { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT, firstUnmatchedAt: CREATED_AT } as const;
  const paidOut = { creditedAt: CREATED_AT, operationId: OPERATION };

  test.each<[string, Partial<CustodianTransfer>, Partial<Deposit>]>([
    ['one that has failed', { state: 'FAILED' }, {}],
    ['one that is on its way', { state: 'UNCONFIRMED' }, {}],
    ['one that is held since it was listed', { state: 'HELD' }, listedSince],
    ['one whose off-ramp has its payout', {}, paidOut],
    [
      'one that is owed, and taken back',
      {},
      { ...paidOut, unmatched: 'REVERSED', owed: 'OWED', owedSince: CREATED_AT },
    ],
  ])('takes nothing that waits for nobody: %s', async (_, facts, differences) => {
    const w = await world();
    w.clock.advance(25 * 3600);
    w.putDeposit(facts, { sequence: 1, ...differences });
    expect((await w.propose()).body.code).toBe('OPERATION_STATUS_CONFLICT');
    expect((await w.propose({ custodianTransferId: 'none' })).status).toBe(404);
  });

  describe('what was taken back', () => {
    const takenBack = {
      ...{ unmatched: 'REVERSED', unmatchedSince: CREATED_AT, firstUnmatchedAt: undefined, reasons: undefined },
      ...{ creditedAt: CREATED_AT, operationId: OPERATION },
    } satisfies Partial<Deposit>;
    const writtenOff = { outcome: 'written-off' };
    const ended = offRamp({ status: 'COMPLETED', verifiedTxHash: HASH });

    test('is written off by two persons, and stays REVERSED; two put it back into its list', async () => {
      const w = await world(takenBack);
      w.put(ended);
      const { proposalId } = (await w.propose(writtenOff)).body.proposal;
      expect((await w.confirm(proposalId, OPERATOR)).status).toBe(409);
      const { body } = await w.confirm(proposalId);
      expect(body).toMatchObject({
        status: 'REVERSED',
        settled: { outcome: 'WRITTEN_OFF', confirmedBy: SECOND_OPERATOR },
      });
      expect([await w.listed(listUnmatchedContract), w.kept()?.['unmatchedSince']]).toEqual([0, undefined]);
      expect((await w.lookAt(readDepositContract, { deposit: ID })).body.next.what).toContain('WRITTEN_OFF');
      await w.confirm((await w.unsettle()).body.proposal.proposalId);
      expect([await w.listed(listUnmatchedContract), w.kept()?.['unmatched']]).toEqual([1, 'REVERSED']);
    });

    test('stays owed where nothing was paid out, for when it is there again', async () => {
      const w = await world({ ...takenBack, owed: 'OWED', owedSince: CREATED_AT });
      w.put(offRamp({ status: 'FAILED', verifiedTxHash: HASH }));
      await w.confirm((await w.propose(writtenOff)).body.proposal.proposalId);
      expect([await w.listed(listOwedContract), w.kept()?.['owedSince']]).toEqual([0, CREATED_AT]);
    });

    test.each<[string, Partial<CustodianTransfer>, Partial<Deposit>]>([
      ['was held before it was final', { state: 'HELD' }, fresh],
      ['was held after it was unmatched', { state: 'HELD' }, {}],
      ['is not final after 14 days', { state: 'UNCONFIRMED' }, fresh],
      ['is not final any more', { state: 'UNCONFIRMED' }, {}],
    ])('is written off, too, if it was never credited and %s: it leaves its list', async (_, facts, differences) => {
      const w = await world();
      const { transfer: __, ...rest } = w.kept() ?? {};
      const listed = { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT } as const;
      w.putDeposit(facts, { ...rest, ...differences, ...listed });
      const { items } = (await w.lookAt(listUnmatchedContract, {})).body;
      expect(items).toMatchObject([{ who: 'FINANCE', what: expect.stringContaining('settle-deposit, written-off') }]);
      expect((await w.propose()).body.detail).toContain('nothing is there to keep');
      const { body } = await w.confirm((await w.propose(writtenOff)).body.proposal.proposalId);
      expect([body.settled.outcome, await w.listed(listUnmatchedContract)]).toEqual(['WRITTEN_OFF', 0]);
    });

    test.each<[string, Partial<Deposit>, Partial<OffRamp>, string, string]>([
      ['its off-ramp may still be paid', takenBack, { status: 'PENDING' }, 'written-off', 'may still be paid out'],
      ['nothing is there to keep', takenBack, ended, 'kept', 'nothing is there to keep'],
      ['it is there, and unmatched', {}, ended, 'written-off', 'It is UNMATCHED: only what was taken back'],
      ['it is credited', { ...takenBack, unmatched: undefined }, ended, 'written-off', 'It is CREDITED: only what'],
    ])('is refused because %s', async (_, differences, operation, outcome, text) => {
      const w = await world(differences);
      w.put(offRamp({ verifiedTxHash: HASH, ...operation }));
      expect((await w.propose({ outcome })).body.detail).toContain(text);
    });

    test('is not written off once its credit is confirmed again', async () => {
      const w = await world(takenBack);
      w.put(ended);
      const { proposalId } = (await w.propose(writtenOff)).body.proposal;
      w.beforeNextWrite('deposits', () => {
        const { unmatched: _, unmatchedSince: __, ...again } = w.kept() ?? {};
        w.table('deposits').put({ ...again, custodianTransferId: ID, sequence: 2 });
      });
      expect((await w.confirm(proposalId)).status).toBe(409);
      expect(w.kept()).not.toHaveProperty('settled');
    });
  });

  const kept = { outcome: 'KEPT', by: OPERATOR, confirmedBy: SECOND_OPERATOR, at: CREATED_AT, reason: 'why' } as const;
  const owedSince = (at: string) => ({ ...fresh, ...paidOut, owed: 'OWED', owedSince: at }) as const;

  test.each<[string, Partial<Deposit>, Partial<CustodianTransfer>, Partial<Deposit>]>([
    ['its amount', {}, { amount: '98' }, {}],
    ['its status', {}, {}, { sequence: 3 }],
    ['since when it is owed', owedSince(CREATED_AT), {}, { owedSince: NEXT }],
    ['its settlement', { unmatched: undefined, settled: kept }, {}, { settled: { ...kept, at: NEXT } }],
  ])('two persons change none that is no longer as the first one saw it: %s', async (_, seen, facts, differences) => {
    const w = await world(seen);
    w.clock.advance(25 * 3600);
    const { proposalId } = (await (seen.settled ? w.unsettle() : w.propose())).body.proposal;
    const { transfer: __, ...rest } = w.kept() ?? {};
    w.putDeposit({ amount: '99', ...facts }, { ...rest, ...differences });
    const before = w.kept();
    expect((await w.confirm(proposalId)).body.detail).toContain('has changed since it was proposed');
    expect(w.kept()).toEqual(before);
  });

  test('what was never credited is owed to nobody once it is put back, although the off-ramp of its address is', async () => {
    const w = await world({ settled: { ...kept, confirmedBy: undefined }, unmatched: undefined });
    w.put(offRamp({ status: 'CANCELLED', verifiedTxHash: OTHER_HASH }));
    const { transfer: _, ...rest } = w.kept() ?? {};
    w.putDeposit({ state: 'FAILED' }, rest);
    expect([(await w.unsettle()).status, w.kept()?.['settled'], w.kept()?.['owed']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });
});
