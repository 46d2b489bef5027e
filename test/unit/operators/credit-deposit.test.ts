import { describe, expect, test } from 'vitest';
import { confirmDepositContract, creditDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { type CustodianTransfer, CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { listAuditContract } from '#shared/platform/operators/audit-records.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { OPERATION, STRANGER, WALLET } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { CREATED_AT, HASH, OTHER_HASH, offRamp, RULES, SENDER_ADDRESS, transfer } from '#test/support/off-ramp.ts';
import { OPERATOR, SECOND_OPERATOR } from '#test/support/operators-world.ts';

const ID = 'transfer-1';
const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
const ENDED = '66666666-6666-4666-8666-666666666666';
const OTHER_ADDRESS = `0x${'c3'.repeat(20)}`;

/** A deposit to the address of an earlier off-ramp of the same user, which has ended. */
const LATE = { toAddress: OTHER_ADDRESS };
/** The same, and from another wallet than the declared one. */
const FROM_ELSEWHERE = { ...LATE, fromAddress: OTHER_ADDRESS };

/** An off-ramp that awaits its deposit, an ended one of the same user, and an unmatched deposit to that one's address. */
async function world(facts: Partial<CustodianTransfer> = LATE, differences: Partial<Deposit> = {}) {
  captureLogs();
  const made = lookUpWorld();
  await made.create(offRamp());
  made.put(offRamp({ operationId: ENDED, status: 'CANCELLED', address: OTHER_ADDRESS }));
  const { clientId, userId } = offRamp();
  const since = { unmatched: 'UNMATCHED', unmatchedSince: CREATED_AT, firstUnmatchedAt: CREATED_AT } as const;
  const owner = { operationId: ENDED, clientId, userId, sequence: 1 };
  made.putDeposit(facts, { ...since, ...owner, reasons: ['OPERATION_ENDED'], ...differences });
  const kept = () => made.table('deposits').find({ custodianTransferId: ID });
  const operation = () => made.table('operations').find({ operationId: OPERATION, record: 'OPERATION' });
  const propose = (input: object = { operation: OPERATION }, who = OPERATOR) =>
    made.change(creditDepositContract, { custodianTransferId: ID, ...input }, 'Case 17', who);
  return {
    ...made,
    kept,
    /** The deposit without the custodian's data of its transfer. */
    withoutFacts: () => {
      const { transfer: _, ...rest } = kept() ?? {};
      return rest;
    },
    operation,
    propose,
    proposed: async (input?: object) => String((await propose(input)).body.proposal.proposalId),
    confirm: (proposalId: string, who = SECOND_OPERATOR) =>
      made.change(confirmDepositContract, { proposalId }, 'I have asked the user', who),
    /** True if the deposit is credited in all three tables, false if in none; throws if in some. */
    isCredited: () => {
      const claim = made.table('hashes').find({ claim: `FUNDED#${HASH}` });
      const said = [
        operation()?.['verifiedTxHash'] === HASH,
        kept()?.['creditedAt'] !== undefined,
        claim !== undefined,
      ];
      if (new Set(said).size > 1) throw new Error(`It is credited in part: ${said.join()}.`);
      return said[0];
    },
    told: () =>
      made
        .table('events')
        .items()
        .map(({ body }) => JSON.parse(String(body)))
        .filter(({ type, data }) => type === 'ramp.deposit.status_changed' || data.status === 'PENDING')
        .map(({ type, data }) => [type, data.operationId, data.status, data.previousStatus])
        .toSorted(),
    /** Credits the deposit of the off-ramp's declared hash, as the state machine does. */
    confirmReported: (sent = transfer(facts)) =>
      createCreditDeposit(made.dynamo, tables, made.clock, RULES)(OPERATION, sent),
  };
}

const said = { contradictedSince: CREATED_AT };

type World = Awaited<ReturnType<typeof world>>;

/** A deposit without a tag, at an account that off-ramps share by tags: it has no user. */
const NOBODYS = {
  ...{ operationId: undefined, clientId: undefined, userId: undefined, sequence: undefined, detectedAt: undefined },
  reasons: [],
} satisfies Partial<Deposit>;

describe('decisions 9, credit by hand: one person', () => {
  test('credits a deposit of which only the address differs, in the transaction of every credit', async () => {
    const w = await world();
    const declared = { claim: `DECLARED#${OTHER_HASH}`, operationId: OPERATION };
    w.table('hashes').put(declared);
    w.table('operations').put({ ...w.operation(), txHash: OTHER_HASH });
    expect(await w.propose()).toMatchObject({
      status: 200,
      body: { custodianTransferId: ID, operationId: OPERATION, status: 'CREDITED' },
    });
    expect(w.isCredited()).toBe(true);
    expect(w.operation()).toMatchObject({ status: 'PENDING', sequence: 2 });
    expect(w.kept()).toMatchObject({ operationId: OPERATION, sequence: 2, nextPollAt: expect.any(String) });
    for (const gone of ['unmatched', 'unmatchedSince', 'reasons']) expect(w.kept()).not.toHaveProperty(gone);
    expect(w.table('hashes').find({ claim: declared.claim })).toBeUndefined();
    expect(w.told()).toEqual([
      ['ramp.deposit.status_changed', OPERATION, 'CREDITED', 'UNMATCHED'],
      ['ramp.operation.status_changed', OPERATION, 'PENDING', 'AWAITING_DEPOSIT'],
    ]);
    const { items } = (await w.lookAt(listAuditContract, { about: ID })).body;
    expect(items).toMatchObject([{ command: 'credit-deposit', who: OPERATOR, result: 'DONE' }]);
    expect((await w.propose()).body.detail).toBe('It is CREDITED: only an UNMATCHED deposit is credited by hand.');
  });

  test.each([{}, { operation: OPERATION }])(
    'credits one that the custodian has corrected to its own off-ramp: %o',
    async (input) => {
      const w = await world({}, { operationId: OPERATION, reasons: ['WRONG_AMOUNT'] });
      expect((await w.propose(input)).body.status).toBe('CREDITED');
      expect(w.isCredited()).toBe(true);
    },
  );

  test.each<[string, Partial<CustodianTransfer>, Partial<Deposit>, string]>([
    ['is of another token', { assetId: 'ETHEREUM:USDT' }, {}, 'this is 100.5 of ETHEREUM:USDT'],
    ['is of an unknown asset', { assetId: 'SPAM' }, {}, 'this is 100.5 of SPAM'],
    ['is on another network', { network: 'POLYGON' }, {}, 'on POLYGON'],
    ['is smaller by the smallest part', { amount: '100.499999' }, {}, 'this is 100.499999'],
    ['is larger', { amount: '101' }, {}, 'this is 101'],
    ['is held', { state: 'HELD' }, {}, 'It is HELD'],
    ['has failed', { state: 'FAILED' }, {}, 'It is FAILED'],
    ['is gone', { state: 'GONE' }, {}, 'It is FAILED'],
    ['is no longer final', { state: 'UNCONFIRMED' }, {}, 'It is not final'],
    ['is on its way', {}, { reasons: undefined, unmatched: undefined, firstUnmatchedAt: undefined }, 'It is DETECTED'],
    ['was reversed', {}, { creditedAt: CREATED_AT, unmatched: 'REVERSED' }, 'It is REVERSED'],
    ['is settled', {}, { settled: { outcome: 'KEPT', by: 'x', at: CREATED_AT, reason: 'why' } }, 'It is settled'],
    ['cannot be read', {}, { unreadable: 'UNREADABLE', unreadableSince: CREATED_AT }, 'cannot be read'],
  ])('credits and proposes none that %s', async (_, facts, differences, why) => {
    const w = await world({ ...LATE, ...facts }, differences);
    const before = w.kept();
    expect(await w.propose()).toMatchObject({ status: 409, body: { detail: expect.stringContaining(why) } });
    expect([w.kept(), w.operation()?.['status'], w.table('proposals').items()]).toEqual([
      before,
      'AWAITING_DEPOSIT',
      [],
    ]);
  });

  const unreadable = { custodianTransferId: ID, unreadableFields: 'amount' } as const;
  test.each<[string, Awaited<ReturnType<AskForTransfer>>, string]>([
    ['has been frozen', transfer({ ...LATE, state: 'HELD' }), 'the custodian says HELD by now'],
    ['has been corrected', transfer({ ...LATE, amount: '99' }), 'The custodian has corrected it'],
    ['cannot be read', unreadable, 'does not say what has become of it'],
    ['is not found', undefined, 'does not say what has become of it'],
  ])('asks the custodian right before, and credits none that %s meanwhile', async (_, found, why) => {
    const w = await world();
    w.custodianSays(async () => found);
    expect(await w.propose()).toMatchObject({ status: 409, body: { detail: expect.stringContaining(why) } });
    expect(w.isCredited()).toBe(false);
    const two = await world(FROM_ELSEWHERE);
    const proposal = await two.proposed();
    two.custodianSays(async () => found && { ...found, ...('network' in found && FROM_ELSEWHERE) });
    expect((await two.confirm(proposal)).body.detail).toContain(why);
    expect(two.isCredited()).toBe(false);
  });

  test('is asked for again while the custodian does not answer', async () => {
    const w = await world();
    w.custodianSays(async () => {
      throw new CustodianUnavailable('It does not answer.');
    });
    expect(await w.propose()).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
    expect(w.isCredited()).toBe(false);
  });

  test.each<[string, Partial<OffRamp>, Partial<OffRamp>, string]>([
    ['of another user', { userId: STRANGER }, {}, 'has no such off-ramp'],
    ['of another client', { clientId: STRANGER }, {}, 'has no such off-ramp'],
    ['that has its deposit', { status: 'PENDING', verifiedTxHash: OTHER_HASH }, {}, 'is PENDING'],
    ['that has ended', { status: 'FAILED' }, {}, 'is FAILED'],
    ['whose payout is in doubt', said, {}, 'resolve-contradiction comes first'],
    ['while that of its address was paid out', {}, { paidOut: true }, 'was paid out'],
    ['while the payout of that of its address is in doubt', {}, said, 'resolve-contradiction comes first'],
  ])('credits nothing to an off-ramp %s', async (_, awaiting, ended, why) => {
    const w = await world();
    w.put(offRamp(awaiting));
    w.put(offRamp({ operationId: ENDED, status: 'CANCELLED', address: OTHER_ADDRESS, ...ended }));
    expect(await w.propose()).toMatchObject({ status: 409, body: { detail: expect.stringContaining(why) } });
    expect(w.kept()).not.toHaveProperty('creditedAt');
  });

  test.each<[string, Partial<OffRamp>]>([
    ['was paid out', { paidOut: true }],
    ['resolve-contradiction comes first', said],
  ])('credits nothing while it is said at the same moment of the off-ramp of its address: %s', async (why, ended) => {
    const w = await world();
    w.beforeNextWrite('deposits', () => w.put(offRamp({ operationId: ENDED, status: 'CANCELLED', ...ended })));
    expect((await w.propose()).body.detail).toContain(why);
    expect(w.isCredited()).toBe(false);
  });

  test.each(['before', 'meanwhile'])('credits none whose transaction funds another off-ramp, %s', async (when) => {
    // Its credit is not even proposed.
    const w = await world(when === 'before' ? FROM_ELSEWHERE : LATE);
    const fund = () => w.table('hashes').put({ claim: `FUNDED#${HASH}`, operationId: ENDED, custodianTransferId: 'x' });
    if (when === 'before') fund();
    else w.beforeNextWrite('deposits', fund);
    expect((await w.propose()).body.detail).toBe('Its transaction funds an off-ramp already.');
    expect(w.kept()).not.toHaveProperty('creditedAt');
  });

  test('is 404 for an unknown deposit, and credits none whose off-ramp, or the named one, is unknown', async () => {
    const w = await world();
    expect((await w.propose({ custodianTransferId: 'unknown' })).status).toBe(404);
    const unknown = await w.propose({ operation: WALLET });
    w.table('operations').restore([w.operation() ?? {}]);
    for (const { status, body } of [unknown, await w.propose()])
      expect([status, body.detail]).toEqual([409, expect.stringContaining('has no such off-ramp')]);
  });
});

describe('decisions 9, credit by hand: two persons', () => {
  test('credit a deposit of another sender', async () => {
    const w = await world(FROM_ELSEWHERE);
    const { body } = await w.propose();
    expect(body).toMatchObject({
      status: 'UNMATCHED',
      operationId: OPERATION,
      proposal: { confirmedWith: 'confirm-deposit' },
    });
    expect(w.isCredited()).toBe(false);
    expect((await w.confirm(body.proposal.proposalId, OPERATOR)).status).toBe(409);
    expect((await w.confirm(body.proposal.proposalId)).body).toEqual({
      ...{ custodianTransferId: ID, operationId: OPERATION, status: 'CREDITED' },
    });
    expect([w.isCredited(), w.told().length]).toEqual([true, 2]);
    const { items } = (await w.lookAt(listAuditContract, { about: ID })).body;
    expect(items).toContainEqual(expect.objectContaining({ command: 'credit-deposit', result: 'PROPOSED' }));
  });

  test('credit a deposit of nobody to the one off-ramp that awaits it from its sender', async () => {
    const w = await world(LATE, NOBODYS);
    const proposalId = await w.proposed({});
    expect(w.isCredited()).toBe(false);
    expect((await w.confirm(proposalId)).body.operationId).toBe(OPERATION);
    expect([w.isCredited(), w.told()[0]]).toEqual([true, ['ramp.deposit.status_changed', OPERATION, 'CREDITED', null]]);
  });

  const second = (differences: Partial<OffRamp> = {}) =>
    offRamp({ operationId: WALLET, address: `0x${'d4'.repeat(20)}`, ...differences });
  test.each<[string, Partial<CustodianTransfer>, (w: World) => unknown, object, string]>([
    ['of another sender', FROM_ELSEWHERE, () => 0, {}, 'no off-ramp awaits'],
    ['of another amount', { ...LATE, amount: '7' }, () => 0, {}, 'no off-ramp awaits'],
    ['of an unknown asset', { ...LATE, assetId: 'SPAM' }, () => 0, {}, 'no off-ramp awaits'],
    ['that two off-ramps await', LATE, (w) => w.create(second()), {}, `, such as ${OPERATION}, ${WALLET}.`],
    [
      'that one off-ramp awaits, and another one may that cannot be read',
      LATE,
      async (w) => {
        await w.create(second());
        const item = w.table('operations').find({ operationId: WALLET, record: 'OPERATION' });
        w.table('operations').put({ ...item, sequence: 'none' });
      },
      {},
      `cannot be read: ${WALLET}`,
    ],
    [
      'that an off-ramp awaits whose payout is in doubt',
      LATE,
      (w) => w.table('operations').put({ ...w.operation(), ...said }),
      {},
      'resolve-contradiction comes first',
    ],
    [
      'that another off-ramp awaits than the named one',
      LATE,
      () => 0,
      { operation: ENDED },
      `only ${OPERATION} awaits`,
    ],
  ])('credit nobody’s deposit %s to no off-ramp', async (_, facts, prepare, input, why) => {
    const w = await world(facts, NOBODYS);
    await prepare(w);
    expect(await w.propose(input)).toMatchObject({ status: 409, body: { detail: expect.stringContaining(why) } });
  });

  test('credit none of nobody that another off-ramp awaits, too, since it was proposed', async () => {
    const w = await world(LATE, NOBODYS);
    const proposalId = await w.proposed({});
    await w.create(second());
    expect((await w.confirm(proposalId)).body.detail).toContain('2 off-ramps await');
    expect(w.isCredited()).toBe(false);
  });

  test.each<[string, Partial<CustodianTransfer>, Partial<Deposit>]>([
    ['its sender', { ...LATE, fromAddress: `0x${'e5'.repeat(20)}` }, {}],
    ['its sequence', FROM_ELSEWHERE, { sequence: 3 }],
  ])('credit none that is no longer as the first one saw it: %s', async (_, facts, differences) => {
    const w = await world(FROM_ELSEWHERE);
    const proposalId = await w.proposed();
    w.putDeposit(facts, { ...w.withoutFacts(), ...differences });
    expect((await w.confirm(proposalId)).body.detail).toContain('has changed since it was proposed');
    expect(w.isCredited()).toBe(false);
  });

  test.each([FROM_ELSEWHERE, LATE])('credit it once when two confirm it at once: %o', async (facts) => {
    const w = await world(facts, facts === LATE ? NOBODYS : {});
    const proposalId = await w.proposed(facts === LATE ? {} : undefined);
    const answers = await Promise.all([
      w.confirm(proposalId),
      w.confirm(proposalId, SECOND_OPERATOR.replace('bea', 'carl')),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect([w.isCredited(), w.told().length]).toEqual([true, 2]);
  });

  test('credit it once when its client reports another deposit that verifies, at the same moment', async () => {
    const w = await world(FROM_ELSEWHERE);
    const proposalId = await w.proposed();
    const reported = transfer({ custodianTransferId: 'transfer-2', txHash: OTHER_HASH, fromAddress: SENDER_ADDRESS });
    const [confirmed, credited] = await Promise.all([w.confirm(proposalId), w.confirmReported(reported)]);
    expect([confirmed.status === 200, credited.outcome === 'CREDITED'].filter(Boolean)).toHaveLength(1);
    const funded = w
      .table('hashes')
      .items()
      .filter(({ claim }) => String(claim).startsWith('FUNDED#'));
    expect([funded.length, w.operation()?.['sequence']]).toEqual([1, 2]);
  });

  test('credit it once when a report of its own hash verifies at the same moment', async () => {
    const corrected = await world({}, { operationId: OPERATION, reasons: ['WRONG_AMOUNT'] });
    corrected.table('operations').put({ ...corrected.operation(), txHash: HASH });
    const [byHand, reported] = await Promise.all([corrected.propose({}), corrected.confirmReported(transfer())]);
    expect([byHand.status === 200, reported.outcome === 'CREDITED'].filter(Boolean)).toHaveLength(1);
    expect([corrected.isCredited(), corrected.told().length]).toEqual([true, 2]);
  });

  test.each([
    ['of a user', FROM_ELSEWHERE, {}],
    ['of nobody, which has no sequence', LATE, NOBODYS],
  ] as const)('credit none that a poll finds held at the same moment: %s', async (_, facts, differences) => {
    const w = await world(facts, differences);
    const proposalId = await w.proposed();
    w.beforeNextWrite('deposits', () => w.putDeposit({ ...facts, state: 'HELD' }, w.withoutFacts()));
    expect((await w.confirm(proposalId)).body.detail).toContain('It is HELD');
    expect(w.isCredited()).toBe(false);
  });

  test.each(['audit', 'deposits'] as const)(
    'credit it once although the function dies before its write to %s',
    async (where) => {
      const w = await world(FROM_ELSEWHERE);
      const proposalId = await w.proposed();
      w.beforeNextWrite(where, () => {
        throw new Error('The function has died.');
      });
      expect((await w.confirm(proposalId)).status).toBe(500);
      expect(w.isCredited()).toBe(false);
      expect((await w.confirm(proposalId)).status).toBe(200);
      expect((await w.confirm(proposalId)).body.detail).toContain('It is done already');
      expect([w.isCredited(), w.told().length]).toEqual([true, 2]);
    },
  );
});
