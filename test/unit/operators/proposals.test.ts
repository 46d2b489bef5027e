import { describe, expect, test } from 'vitest';
import { readPayinContract } from '#shared/operators/lookups.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { confirmPayinContract, endPayinContract } from '#shared/pay-ins/pay-in-commands.ts';
import { listMismatchedContract } from '#shared/pay-ins/pay-in-lookups.ts';
import { payinItem } from '#shared/pay-ins/pay-in-records.ts';
import { transact } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { listAuditContract } from '#shared/platform/operators/audit-records.ts';
import { createProposals } from '#shared/platform/operators/proposal-repository.ts';
import {
  describeProposals,
  isOpen,
  listProposalsContract,
  type Proposal,
  proposalErrors,
  withdrawProposalContract,
} from '#shared/platform/operators/proposals.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { USER } from '#test/support/ids.ts';
import { OPERATOR, operatorsWorld, SECOND_OPERATOR } from '#test/support/operators-world.ts';
import { PAYIN, payinOf } from '#test/support/pay-ins-in-memory.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NOW = '2026-08-01T12:00:00.000Z';
const DAY = 24 * 3600;

/** The same person as OPERATOR, by other names of AWS. */
const THE_SAME = [
  'arn:aws:sts::111122223333:assumed-role/finance-lead/Session-1',
  'arn:aws:iam::111122223333:user/people/session-1',
];

/** A pay-in for which the rail has another amount than was ordered: for more than 200000 COP it takes two persons. */
function world(paid = '300000', differences: Partial<Payin> = {}) {
  captureLogs();
  const made = operatorsWorld(NOW);
  const settlementMismatch = { amount: paid, currency: 'COP', at: NOW };
  const payin = payinOf({ orderingSince: NOW, settlementMismatch, mismatchedAt: NOW, ...differences });
  made.table('payins').put({ ...payinItem(payin, undefined), mismatched: 'MISMATCHED' });
  const item = () => made.table('payins').find({ payinId: PAYIN, record: 'PAYIN' });
  const propose = async (who = OPERATOR) => {
    const end = paid === '0' ? { outcome: 'kept' } : { outcome: 'refunded', reference: 'TRF-42' };
    const input = { payinId: PAYIN, paidAmount: paid, ...end };
    return made.change(endPayinContract, input, 'Case 17', who);
  };
  const open = async () => (await made.look(listProposalsContract, {})).body.items;
  return {
    ...made,
    item,
    propose,
    open,
    proposed: async () => String((await propose()).body.proposal.proposalId),
    confirm: (proposalId: string, who = SECOND_OPERATOR) =>
      made.change(confirmPayinContract, { proposalId }, 'I have seen the transfer', who),
    withdraw: (proposalId: string, who = OPERATOR) =>
      made.change(withdrawProposalContract, { proposalId }, 'It was of another pay-in', who),
    ended: () => (item()?.['mismatchEnds'] ?? []) as readonly unknown[],
    /** Stores another mismatched amount, as if the rail had reported it since. */
    raised: (amount: string) => {
      const now = item() ?? {};
      made
        .table('payins')
        .put({ ...now, sequence: Number(now['sequence']) + 1, settlementMismatch: { ...settlementMismatch, amount } });
    },
  };
}

describe('decisions 9, two persons: a change that takes two', () => {
  test('is only proposed by the first, and done by the second; the audit has both', async () => {
    const { propose, confirm, item, open, look, table } = world();
    const before = item();
    const { status, body } = await propose();
    const until = '2026-08-02T12:00:00.000Z';
    expect([status, body.status, item()]).toEqual([200, 'CASHININIT', before]);
    const { proposalId } = body.proposal;
    expect(body.proposal).toEqual({ proposalId, until, confirmedWith: 'confirm-payin' });
    const shown = { proposalId, command: 'end-payin', about: PAYIN, reason: 'Case 17', proposedBy: OPERATOR, until };
    const { what } = (await look(listMismatchedContract, {})).body.items[0];
    expect(what).toMatch(
      /^300000 COP was paid .*\. session-1 has proposed at \S+: end-payin 300000 refunded TRF-42\. /,
    );
    expect(what).toContain(`before ${until}: confirm-payin ${proposalId}.`);
    expect((await look(readPayinContract, { payin: PAYIN })).body.next).toMatchObject({ who: 'FINANCE', what });
    expect(await open()).toMatchObject([{ ...shown, arguments: { paidAmount: '300000', reference: 'TRF-42' } }]);
    expect(await confirm(proposalId)).toMatchObject({ status: 200, body: { status: 'FAILED', reference: 'TRF-42' } });
    expect(item()).toMatchObject({ status: 'FAILED', mismatchEnds: [{ amount: '300000', reference: 'TRF-42' }] });
    expect([await open(), (await look(listMismatchedContract, {})).body.items]).toEqual([[], []]);
    expect(table('events').items()).toHaveLength(1);
    const { items } = (await look(listAuditContract, { about: PAYIN })).body;
    expect(items).toMatchObject([
      { command: 'confirm-payin', who: SECOND_OPERATOR, result: 'DONE', arguments: { proposalId } },
      { command: 'end-payin', who: OPERATOR, result: 'PROPOSED', auditId: proposalId },
    ]);
  });

  test.each([OPERATOR, ...THE_SAME])('is not confirmed by the person who proposed it: %s', async (who) => {
    const { proposed, confirm, item } = world();
    const proposalId = await proposed();
    const before = item();
    const { status, body } = await confirm(proposalId, who);
    expect([status, body.detail]).toEqual([409, 'You have proposed it yourself: another person has to confirm it.']);
    expect(item()).toEqual(before);
    expect((await confirm(proposalId)).status).toBe(200);
  });

  test('is done once, however many confirm it at the same time', async () => {
    const { proposed, confirm, ended } = world();
    const proposalId = await proposed();
    const others = ['bea', 'carl', 'dora'].map((name) => SECOND_OPERATOR.replace('bea', name));
    const answers = await Promise.all(others.map((who) => confirm(proposalId, who)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.body.detail).toMatch(
      /^It is done already: .* confirmed it at/,
    );
    expect(ended()).toHaveLength(1);
  });

  test('is done by one of two proposals', async () => {
    const { proposed, propose, confirm, ended } = world();
    const first = await proposed();
    const second = String((await propose(SECOND_OPERATOR)).body.proposal.proposalId);
    expect((await confirm(first)).status).toBe(200);
    expect((await confirm(second, OPERATOR)).body.detail).toContain('has changed since it was proposed');
    expect(ended()).toHaveLength(1);
  });

  test.each([
    ['the audit of who proposes it', 'propose', 'audit'],
    ['the write of the proposal', 'propose', 'proposals'],
    ['the audit of who confirms it', 'confirm', 'audit'],
    ['its transaction', 'confirm', 'payins'],
  ] as const)('is not done when the function dies before %s, and is done by the same calls', async (_, when, where) => {
    const { propose, confirm, item, ended, beforeNextWrite } = world();
    const before = item();
    const dies = () =>
      beforeNextWrite(where, () => {
        throw new Error('The function has died.');
      });
    if (when === 'propose') {
      dies();
      expect((await propose()).status).toBe(500);
    }
    const { proposalId } = (await propose()).body.proposal;
    if (when === 'confirm') {
      dies();
      expect((await confirm(proposalId)).status).toBe(500);
    }
    expect(item()).toEqual(before);
    expect((await confirm(proposalId)).status).toBe(200);
    expect((await confirm(proposalId)).status).toBe(409);
    expect(ended()).toHaveLength(1);
  });

  test('can be confirmed for 24 hours, and is in no list afterwards', async () => {
    const { proposed, confirm, clock, item, open, look } = world();
    const proposalId = await proposed();
    const before = item();
    clock.advance(DAY - 1);
    expect((await look(listProposalsContract, { proposal: proposalId })).body.items).toHaveLength(1);
    clock.advance(1);
    expect((await confirm(proposalId)).body.detail).toBe(
      'It has expired at 2026-08-02T12:00:00.000Z: propose it again.',
    );
    expect([item(), await open()]).toEqual([before, []]);
    expect((await look(listProposalsContract, { proposal: proposalId })).status).toBe(404);
  });

  test('is on the first page of the list, however many have expired', async () => {
    const { propose, proposed, open, clock } = world();
    for (let number = 0; number < 51; number += 1) await propose();
    clock.advance(DAY);
    const proposalId = await proposed();
    expect(await open()).toMatchObject([{ proposalId }]);
  });

  test('is not done if its subject has changed, or changes at the same moment', async () => {
    const { proposed, confirm, raised, ended, beforeNextWrite } = world();
    const first = await proposed();
    beforeNextWrite('payins', () => raised('310000'));
    expect(await confirm(first)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('changed') } });
    expect((await confirm(first)).body.detail).toContain('look at it, and propose it again');
    expect(ended()).toEqual([]);
  });

  test('is taken back by its author alone, in whatever role, and from then on nobody confirms it', async () => {
    const { proposed, withdraw, confirm, item, open, look } = world();
    const proposalId = await proposed();
    const before = item();
    expect((await withdraw(proposalId, SECOND_OPERATOR)).body.detail).toBe(
      'session-1 has proposed it: only that person can withdraw it.',
    );
    expect(await open()).toHaveLength(1);
    const withdrawn = { proposalId, command: 'end-payin', about: PAYIN, withdrawnAt: NOW };
    for (const who of [OPERATOR, ...THE_SAME]) {
      expect(await withdraw(proposalId, who)).toMatchObject({ status: 200, body: withdrawn });
    }
    expect((await confirm(proposalId)).body.detail).toBe(`${OPERATOR} has withdrawn it, at ${NOW}.`);
    expect([item(), await open()]).toEqual([before, []]);
    expect((await look(listProposalsContract, { proposal: proposalId })).status).toBe(404);
    expect((await look(readPayinContract, { payin: PAYIN })).body.next.what).not.toContain(proposalId);
    const { items } = (await look(listAuditContract, { about: PAYIN })).body;
    expect(items.map((one: { command: string }) => one.command)).toContain('withdraw-proposal');
  });

  test('is not taken back when it is done at the same moment, nor done when it is taken back', async () => {
    const { proposed, withdraw, confirm, ended, table, beforeNextWrite } = world();
    const becomes = (proposalId: string, end: object) => () => {
      const { openIn: _, ...now } = table('proposals').find({ proposalId }) ?? {};
      table('proposals').put({ ...now, ...end });
    };
    const [first, second] = [await proposed(), await proposed()];
    beforeNextWrite('proposals', becomes(first, { doneAt: NOW, doneBy: SECOND_OPERATOR }));
    expect(await withdraw(first)).toMatchObject({ status: 409, body: { code: 'PROPOSAL_CONFLICT' } });
    beforeNextWrite('payins', becomes(second, { withdrawnAt: NOW }));
    expect((await confirm(second)).body.detail).toContain('has withdrawn it');
    expect(ended()).toEqual([]);
  });

  test('is 404 if nobody has proposed it', async () => {
    const { confirm, withdraw } = world();
    for (const ends of [confirm, withdraw])
      expect(await ends(PAYIN)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });
});

describe('decisions 9, two persons: a stored proposal', () => {
  const stored = async () => {
    const [{ dynamo, table }, clock] = [tablesInMemory(), fakeClock(NOW)];
    const kind = { confirmedWith: 'confirm-payin', conflict: proposalErrors.PROPOSAL_CONFLICT };
    const proposals = createProposals(dynamo, 'proposals', clock, kind);
    const asked = { who: OPERATOR, reason: 'Case 17', auditId: USER };
    const propose = () => proposals.propose({ command: 'end-payin', about: PAYIN, arguments: {}, seen: {} }, asked);
    const confirm = async () =>
      transact(dynamo, { proposal: proposals.confirm(await propose(), { who: SECOND_OPERATOR }) });
    const ofAnother = createProposals(dynamo, 'proposals', clock, { ...kind, confirmedWith: 'confirm-deposit' });
    return { clock, propose, confirm, ofAnother, items: table('proposals').items };
  };

  test('that was done is not open again when the SDK repeats its first write', async () => {
    const { propose, confirm, items } = await stored();
    expect(await confirm()).toEqual(new Set());
    const done = items();
    await propose();
    expect(items()).toEqual(done);
    expect(await confirm()).toEqual(new Set(['proposal']));
  });

  test('goes by itself a week after it has expired', async () => {
    const { propose, items } = await stored();
    await propose();
    expect(items()).toMatchObject([{ expiresAt: Date.parse('2026-08-09T12:00:00Z') / 1000 }]);
  });

  test('is confirmed with no other command than that of its module', async () => {
    const { propose, ofAnother } = await stored();
    const { proposalId } = await propose();
    await expect(ofAnother.findToConfirm(proposalId, { who: SECOND_OPERATOR })).rejects.toThrow(ApiError);
  });

  test('that expires between the look at it and its write is not done', async () => {
    const { clock, propose, confirm } = await stored();
    await propose();
    clock.advance(DAY);
    expect(await confirm()).toEqual(new Set(['proposal']));
  });
});

describe('decisions 5, ending a mismatch: two persons', () => {
  test.each<[string, string, Partial<Payin>, boolean]>([
    ['is up to the limit', '200000', {}, false],
    ['is above the limit by the smallest part', '200000.01', {}, true],
    ['was ordered above the limit, and is taken back', '0', { amount: '250000', status: 'COMPLETED' }, true],
    ['was ordered below the limit, and is taken back', '0', { status: 'COMPLETED' }, false],
  ])('end a pay-in that %s, or one is enough', async (_, paid, differences, takesTwo) => {
    const reversed = paid === '0' ? { settlementMismatch: undefined, reversedAt: NOW } : {};
    const { propose, ended } = world(paid, { ...reversed, ...differences });
    const { status, body } = await propose();
    expect([status, body.proposal !== undefined, ended().length]).toEqual([200, takesTwo, takesTwo ? 0 : 1]);
  });

  test('are not asked to end one by a transfer that has ended another pay-in', async () => {
    const { proposed, confirm, change, table, open } = world();
    const settlementMismatch = { amount: '300000', currency: 'COP', at: NOW };
    table('payins').put(payinItem(payinOf({ payinId: USER, settlementMismatch, mismatchedAt: NOW }), NOW));
    const [first, again] = [await proposed(), { payinId: USER, paidAmount: '300000', outcome: 'refunded' }];
    const second = (await change(endPayinContract, { ...again, reference: 'trf-42' })).body.proposal.proposalId;
    expect((await confirm(first)).status).toBe(200);
    const detail = `The transfer trf-42 has ended the pay-in ${PAYIN}: end-payin takes the reference of this one's own transfer.`;
    const refused = { status: 409, body: { detail } };
    expect(await change(endPayinContract, { ...again, reference: 'trf-42' })).toMatchObject(refused);
    // This proposal was made before the other one was confirmed.
    expect(await confirm(second)).toMatchObject(refused);
    expect(await open()).toHaveLength(1);
  });

  test('always end one of a currency without a limit', async () => {
    const { change, ended } = world('100', { settlementMismatch: { amount: '100', currency: 'USD', at: NOW } });
    const input = { payinId: PAYIN, paidAmount: '100', currency: 'USD', outcome: 'kept' };
    expect((await change(endPayinContract, input)).body.proposal).toBeDefined();
    expect(ended()).toEqual([]);
  });
});

test('a proposal is shown only with its subject, and is open until it is done, withdrawn or expired', () => {
  const made: Proposal = {
    ...{
      proposalId: USER,
      command: 'end-payin',
      about: PAYIN,
      arguments: {},
      seen: { sequence: 3 },
      reason: 'Case 17',
    },
    ...{ proposedBy: OPERATOR, proposedAt: NOW, until: '2026-08-02T12:00:00.000Z', confirmedWith: 'confirm-payin' },
  };
  expect(describeProposals([made], PAYIN, { sequence: 3 })).toContain('end-payin');
  expect(describeProposals([made], USER, { sequence: 3 })).toBeUndefined();
  const ends = [{}, { doneAt: NOW }, { withdrawnAt: NOW }, { until: NOW }];
  expect(ends.map((end) => isOpen({ ...made, ...end }, new Date(NOW)))).toEqual([true, false, false, false]);
});
