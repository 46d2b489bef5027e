import { describe, expect, test } from 'vitest';
import { lookUpOffRamps } from '#functions/off-ramps/look-up-off-ramps/look-up-off-ramps.ts';
import {
  confirmDepositContract,
  creditDepositContract,
  resolveContradictionContract,
  searchHashContract,
  settleDepositContract,
} from '#shared/off-ramps/contract/operator-commands.ts';
import { listReturnsContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import {
  abortReturnContract,
  approveReturnContract,
  declineReturnContract,
  recordReturnContract,
  requestReturnContract,
  startReturnContract,
} from '#shared/off-ramps/contract/return-commands.ts';
import { type CustodianTransfer, NotServed } from '#shared/off-ramps/custodians/custodian.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { returnNextStep } from '#shared/off-ramps/model/return-next-step.ts';
import { addressDigest } from '#shared/off-ramps/model/returns.ts';

import { context, gatewayEvent } from '#test/support/gateway.ts';
import { OPERATION } from '#test/support/ids.ts';
import { CREATED_AT, HASH, OTHER_HASH, SENDER_ADDRESS, TREASURY, transfer } from '#test/support/off-ramp.ts';
import { ALICE, BEA, CARL, CREDITED, ID, type ReturnWorld, returnWorld } from '#test/support/return-world.ts';

const ELSEWHERE = `0x${'5e'.repeat(20)}`;

/** The same person as ALICE, by another name of AWS. */
const ALICE_AGAIN = 'arn:aws:iam::111122223333:user/people/Alice';

const NOBODYS = {
  ...{ operationId: undefined, clientId: undefined, userId: undefined, sequence: undefined, updatedAt: undefined },
  ...{ detectedAt: undefined, reasons: [] },
} satisfies Partial<Deposit>;

const left = (differences: Partial<OutgoingTransfer> = {}): OutgoingTransfer => ({
  ...{ movementId: 'custodian:out-1', network: 'ETHEREUM', txHash: OTHER_HASH, state: 'CONFIRMED', from: TREASURY },
  ...{ toAddress: SENDER_ADDRESS, assetId: 'ETHEREUM:USDC', amount: '97.5', createdAt: CREATED_AT },
  ...differences,
});

/** Stores facts that a poll has found meanwhile. */
function putFacts(w: ReturnWorld, facts: Partial<CustodianTransfer>): void {
  const { transfer: _, ...rest } = w.kept();
  w.putDeposit(rest, facts);
}

async function listed(w: ReturnWorld) {
  const tables = {
    clients: 'clients',
    operations: 'operations',
    hashes: 'hashes',
    deposits: 'deposits',
    audit: 'audit',
    proposals: 'proposals',
  };
  const look = lookUpOffRamps({ dynamo: w.dynamo, tables, clock: w.clock, payoutHours: 4, timeZone: 'UTC' });
  const { path } = listReturnsContract;
  const call = { httpMethod: 'GET', resource: path, pathParameters: {}, queryStringParameters: {}, body: null };
  const requestContext = { requestId: 'request-1', identity: { userArn: ALICE } };
  return JSON.parse((await look(gatewayEvent({ ...call, requestContext }), context)).body).items;
}

describe('decisions 9, who approves', () => {
  test.each<[string, number, Parameters<typeof returnWorld>[0]]>([
    ['what goes to the declared wallet, up to the limit of one person', 1, { onePersonUpTo: '99' }],
    ['what is above it, by the smallest part', 2, { onePersonUpTo: '98.999999' }],
    ['what goes to another sender', 2, { facts: { amount: '99', fromAddress: ELSEWHERE } }],
    ['what is of a token without a limit', 2, { facts: { amount: '99', assetId: 'ETHEREUM:USDT' } }],
    ['what is nobody’s', 2, { deposit: NOBODYS }],
    ['what was credited', 1, CREDITED],
  ])('%s, needs %i besides the person who has requested it', async (_, needed, given) => {
    const w = await returnWorld(given);
    const input = w.kept().creditedAt === undefined ? {} : { payoutNeverMade: 'yes' };
    expect((await w.operate(requestReturnContract, input, ALICE)).body.return).toMatchObject({
      approversNeeded: needed,
    });
    expect((await w.operate(approveReturnContract, {}, ALICE)).status).toBe(409);
    expect((await w.operate(approveReturnContract, {}, ALICE_AGAIN)).status).toBe(409);
    const { awaits } = (await w.operate(approveReturnContract, {}, BEA)).body;
    const another = new RegExp(`^It is not sent yet: it has 1 of 2 approvals\\. .*: approve-return ${ID}\\.$`);
    expect(awaits).toEqual(needed === 1 ? undefined : expect.stringMatching(another));
    expect((await w.operate(approveReturnContract, {}, BEA.toUpperCase())).body.awaits).toBe(awaits);
    expect(w.kept().returnState).toBe(needed === 1 ? 'DUE' : 'WAITING');
    await w.operate(approveReturnContract, {}, CARL);
    expect([w.kept().returnState, w.kept().return?.approvals.length]).toEqual(['DUE', needed]);
    await w.pass(3);
    expect([w.moved().length, w.status(), w.kept().sequence]).toEqual([1, 'RETURNED', w.kept().clientId ? 3 : 2]);
  });

  test.each([
    ['not known', ''],
    ['nobody, because a bridge has made the tokens', `0x${'0'.repeat(40)}`],
  ])(
    'whose sender is %s goes where finance says, and each person has an item in the audit, with the digest of the address and not the address',
    async (_, fromAddress) => {
      const w = await returnWorld({ facts: { amount: '99', fromAddress } });
      await expect(w.ask({ confirmAddress: fromAddress })).rejects.toThrow();
      expect((await w.operate(requestReturnContract)).body.errors).toMatchObject([{ code: 'REQUIRED' }]);
      await w.operate(requestReturnContract, { address: ELSEWHERE }, ALICE);
      expect(returnNextStep(w.kept(), undefined, undefined).what).toContain('approve-return with --confirm-address,');
      expect((await w.operate(approveReturnContract, {}, BEA)).body.errors).toMatchObject([{ code: 'REQUIRED' }]);
      expect((await w.operate(approveReturnContract, { confirmAddress: SENDER_ADDRESS }, BEA)).status).toBe(409);
      for (const who of [BEA, CARL])
        expect((await w.operate(approveReturnContract, { confirmAddress: ELSEWHERE }, who)).status).toBe(200);
      const audit = w.table('audit').items();
      expect(JSON.stringify(audit)).not.toContain(ELSEWHERE);
      const digests = audit
        .filter(({ result }) => result === 'DONE')
        .map(({ ids }) => (ids as { address?: string }).address);
      expect(digests).toEqual(Array.from({ length: 3 }, () => addressDigest({ address: ELSEWHERE })));
    },
  );

  test('where finance says is refused with a wrong character, which its capitals show: what is sent there is lost', async () => {
    const w = await returnWorld({ facts: { amount: '99', fromAddress: '' } });
    const right = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
    const wrong = right.replace('5a', '6a');
    const refusal = { errors: [{ code: 'INVALID_FORMAT', message: expect.stringContaining('EIP-55') }] };
    expect((await w.operate(requestReturnContract, { address: wrong }, ALICE)).body).toMatchObject(refusal);
    expect((await w.operate(requestReturnContract, { address: right }, ALICE)).status).toBe(200);
    expect((await w.operate(approveReturnContract, { confirmAddress: wrong }, BEA)).body).toMatchObject(refusal);
    expect((await w.operate(approveReturnContract, { confirmAddress: right.toLowerCase() }, BEA)).status).toBe(200);
  });

  test.each<[string, Partial<CustodianTransfer>, Partial<Deposit>, Partial<OffRamp>, object, string]>([
    ['is held', { state: 'HELD' }, {}, {}, {}, 'It is HELD'],
    ['is not final any more', { state: 'UNCONFIRMED' }, {}, {}, {}, 'It is UNMATCHED'],
    ['is worth no more than its fee', { amount: '1.5' }, {}, {}, {}, 'Nothing is left'],
    ['is on a network that returns nothing', { network: 'POLYGON' }, {}, {}, {}, 'name no account'],
    ['is settled', {}, { settled: { outcome: 'KEPT', by: 'x', at: CREATED_AT, reason: 'y' } }, {}, {}, 'It is settled'],
    ['may have been paid out', {}, {}, { contradictedSince: CREATED_AT }, {}, 'resolve-contradiction comes first'],
    ['was paid out', {}, {}, { paidOut: true }, {}, 'was paid out'],
    ['goes to another than its sender', {}, {}, {}, { address: ELSEWHERE }, 'to its sender alone'],
  ])('nothing is requested that %s', async (_, facts, deposit, operation, input, why) => {
    const w = await returnWorld({ facts: { amount: '99', ...facts }, deposit, operation });
    const { status, body } = await w.operate(requestReturnContract, input);
    expect([status, body.detail]).toEqual([409, expect.stringContaining(why)]);
    expect(w.kept().return).toBeUndefined();
  });

  test.each<[string, Partial<OffRamp>, number]>([
    ['ended less than 24 hours ago', { endedAt: '2026-07-31T12:30:00.001Z' }, 409],
    ['ended 24 hours ago', { endedAt: '2026-07-31T12:30:00.000Z' }, 200],
    ['is PENDING', { status: 'PENDING', endedAt: undefined }, 409],
    ['was paid out', { status: 'COMPLETED' }, 409],
    ['was paid out, and a person has found that it was not', { status: 'COMPLETED', paidOut: false }, 200],
    ['was paid out in the end', { paidOut: true }, 409],
    ['is contradicted', { contradictedSince: CREATED_AT }, 409],
  ])(
    'a credited deposit is requested with payoutNeverMade, where its off-ramp %s: %i',
    async (_, operation, status) => {
      const w = await returnWorld({ ...CREDITED, operation: { ...CREDITED.operation, ...operation } });
      expect((await w.operate(requestReturnContract, { payoutNeverMade: 'yes' })).status).toBe(status);
      if (status === 200) expect([w.kept().owed, w.status()]).toEqual([undefined, 'RETURN_REQUESTED']);
      else expect((await w.operate(requestReturnContract)).status).toBeGreaterThan(400);
    },
  );

  test('a declined return of a credited deposit puts it back on the list of what is owed, also when that was decided meanwhile', async () => {
    const w = await returnWorld(CREDITED);
    expect((await w.operate(requestReturnContract)).body.errors).toMatchObject([
      { path: 'body.arguments.payoutNeverMade', message: expect.stringContaining('--payout-never-made yes') },
    ]);
    await w.operate(requestReturnContract, { payoutNeverMade: 'yes' });
    expect(w.kept().owed).toBeUndefined();
    expect((await w.operate(declineReturnContract)).body).toMatchObject({ status: 'CREDITED' });
    expect(w.kept()).toMatchObject({ owed: 'OWED', sequence: 3 });
  });

  test('is owed since it was owed first when nothing is sent after all, and anew if it was paid in between', async () => {
    const w = await returnWorld(CREDITED);
    const declined = async (...decided: readonly string[]) => {
      await w.operate(requestReturnContract, { payoutNeverMade: 'yes' });
      if (decided.length > 0) await w.tellPaid();
      for (const outcome of decided) {
        const about = { operationId: OPERATION, sequence: String(w.operation()?.['sequence']) };
        await w.operate(resolveContradictionContract, { ...about, outcome });
      }
      await w.operate(declineReturnContract);
      return w.kept().owedSince;
    };
    expect([await declined(), await declined()]).toEqual(Array(2).fill(CREDITED.deposit.owedSince));
    const now = w.clock.now().toISOString();
    w.clock.advance(60);
    expect(now < String(await declined('paid', 'not-paid'))).toBe(true);
  });
});

test('decisions 9, who approves: an approved return that is not sent, because payouts has paid after all, waits for finance', async () => {
  const w = await returnWorld({
    ...CREDITED,
    operation: { ...CREDITED.operation, status: 'COMPLETED', paidOut: false },
  });
  await w.operate(requestReturnContract, { payoutNeverMade: 'yes' }, ALICE);
  await w.operate(approveReturnContract, {}, BEA);
  expect(await listed(w)).toMatchObject([{ who: 'SERVICE' }]);
  w.putOperation({ paidOut: undefined });
  await w.pass(2);
  expect([w.orders.size, w.lines.map(({ code }) => code)]).toEqual([0, expect.arrayContaining(['RETURN_HINDERED'])]);
  expect(await listed(w)).toMatchObject([
    { who: 'FINANCE', what: expect.stringContaining('was paid out. Or: decline-return') },
  ]);
});

test.each<[string, Partial<Deposit>]>([
  ['one too many of its address', { ignoredReason: 'TOO_MANY', leftOutOf: OPERATION }],
  ['one of an address that a restore has lost', { ignoredReason: 'NOT_OURS' }],
])('decisions 11: %s waits like any other while it is sent back', async (_, given) => {
  const w = await returnWorld({ deposit: { ...NOBODYS, ...given } });
  await w.operate(requestReturnContract, {}, ALICE);
  expect(await listed(w)).toMatchObject([{ who: 'FINANCE', what: expect.stringContaining('approve-return') }]);
});

test.each([
  [['ALREADY_FUNDED'] as const, true],
  [['WRONG_AMOUNT'] as const, false],
])('a return of %s sends whoever approves it to the deposit that funds the off-ramp: %s', async (reasons, isTold) => {
  const w = await returnWorld({ deposit: { reasons: [...reasons] } });
  await w.ask();
  const [{ what }] = await listed(w);
  expect(what.includes('another deposit of its off-ramp is REVERSED')).toBe(isTold);
});

describe('decisions 9, sending by hand', () => {
  const byHand = async (given: Parameters<typeof returnWorld>[0] = {}) => {
    const w = await returnWorld({ isByHand: true, ...given });
    await w.operate(requestReturnContract, {}, ALICE);
    expect((await w.operate(startReturnContract, {}, BEA)).body.detail).toContain('0 of 1 approvals');
    expect((await w.operate(approveReturnContract, {}, BEA)).body.awaits).toContain(`: start-return ${ID}.`);
    return w;
  };
  const record = (w: ReturnWorld, who = BEA, hash = OTHER_HASH) => w.operate(recordReturnContract, { hash }, who);

  test('it is started before it is sent, by another than who requested it, and ends with its hash, which is looked up', async () => {
    const w = await byHand();
    expect(await listed(w)).toMatchObject([{ who: 'FINANCE', what: expect.stringContaining('start-return') }]);
    expect((await record(w)).body.detail).toContain('start-return comes first');
    expect((await w.operate(startReturnContract, {}, ALICE_AGAIN)).body.detail).toContain('requested it yourself');
    expect((await w.operate(startReturnContract, {}, CARL)).status).toBe(200);
    expect([(await w.operate(startReturnContract, {}, CARL)).status, w.kept().lastSending]).toEqual([200, 1]);
    expect((await w.operate(startReturnContract, {}, BEA)).body.detail).toContain(CARL);
    await w.pass(3);
    expect([w.orders.size, w.status()]).toEqual([0, 'RETURN_REQUESTED']);
    expect((await w.operate(declineReturnContract)).status).toBe(409);
    expect(await listed(w)).toMatchObject([{ what: expect.stringContaining('record-return'), requestedBy: ALICE }]);
    w.custodian.outgoing = [left()];
    expect((await record(w, ALICE)).status).toBe(409);
    expect((await record(w)).body).toMatchObject({ status: 'RETURNED', return: { txHash: OTHER_HASH } });
    expect([(await record(w)).status, (await record(w, BEA, HASH)).status, await listed(w)]).toEqual([200, 409, []]);
    w.custodian.outgoing = [left({ state: 'GONE' })];
    await w.pass(60);
    expect([w.status(), w.errors()]).toEqual(['RETURN_REQUESTED', ['RETURN_UNDONE']]);
  });

  test.each<[string, Partial<CustodianTransfer>, string]>([
    ['has frozen it', { state: 'HELD' }, 'the custodian says HELD by now'],
    ['has corrected it', { amount: '98' }, 'The custodian has corrected it'],
  ])('nobody starts it once the custodian %s, even if nobody was told', async (_, facts, why) => {
    const w = await byHand();
    w.custodian.transfer = transfer(facts);
    expect((await w.operate(startReturnContract, {}, BEA)).body.detail).toContain(why);
    expect(w.kept().return).not.toHaveProperty('sendingAt');
  });

  test.each<[string, Partial<OutgoingTransfer>]>([
    ['from another account', { from: ELSEWHERE }],
    ['to another address', { toAddress: ELSEWHERE }],
    ['with a tag that it does not have', { toTag: '7' }],
    ['of another asset', { assetId: 'ETHEREUM:USDT' }],
    ['of another amount', { amount: '99' }],
    ['that was sent for another deposit', { externalId: `${'0'.repeat(8)}-0000-4000-8000-000000000000-1` }],
    ['that is not final', { state: 'UNCONFIRMED' }],
    ['that has failed', { state: 'FAILED' }],
  ])('no transfer is recorded %s', async (_, differences) => {
    const w = await byHand();
    await w.operate(startReturnContract, {}, BEA);
    w.custodian.outgoing = [left(differences)];
    expect([(await record(w)).status, w.status()]).toEqual([409, 'RETURN_REQUESTED']);
  });

  test('no hash is recorded that has settled another deposit, and none that cannot be one', async () => {
    const w = await byHand();
    await w.operate(startReturnContract, {}, BEA);
    w.custodian.outgoing = [left()];
    expect((await record(w, BEA, 'x')).body.errors).toMatchObject([
      { path: 'body.arguments.hash', code: 'INVALID_FORMAT' },
    ]);
    w.table('hashes').put({ claim: `SETTLED#ETHEREUM#${OTHER_HASH}`, custodianTransferId: 'another' });
    expect((await record(w)).body.detail).toContain('has settled another');
  });

  test('nothing of a custodian that the settings do not have any more is started or recorded, and the answer says so', async () => {
    const w = await byHand();
    const isGone = (what: 'transfer' | 'outgoing') =>
      Object.defineProperty(w.custodian, what, {
        get: () => {
          throw new NotServed('No custodian serves ETHEREUM here.');
        },
        configurable: true,
      });
    const { value: known } = Object.getOwnPropertyDescriptor(w.custodian, 'transfer') ?? {};
    isGone('transfer');
    const started = await w.operate(startReturnContract, {}, BEA);
    Object.defineProperty(w.custodian, 'transfer', { value: known, writable: true });
    await w.operate(startReturnContract, {}, BEA);
    isGone('outgoing');
    for (const { status, body } of [started, await record(w)])
      expect([status, body.detail]).toEqual([409, expect.stringContaining('back into the settings')]);
  });

  test('two persons say that nothing was sent, and only of the start of which the first one said it', async () => {
    const w = await byHand();
    expect((await w.operate(abortReturnContract)).body.detail).toContain('decline-return ends it');
    await w.operate(startReturnContract, {}, BEA);
    const { body } = await w.operate(abortReturnContract, {}, BEA);
    expect([body.status, body.proposal.confirmedWith]).toEqual(['RETURN_REQUESTED', 'confirm-deposit']);
    const stale = (await w.operate(abortReturnContract, {}, BEA)).body.proposal;
    const confirm = ({ proposalId }: { proposalId: string }) => w.operate(confirmDepositContract, { proposalId }, CARL);
    const ended = await confirm(body.proposal);
    expect([ended.body.status, ended.body.return, w.kept().unmatched]).toEqual(['UNMATCHED', undefined, 'UNMATCHED']);
    expect((await confirm(body.proposal)).body.detail).toContain('It is done already');
    await w.operate(requestReturnContract, {}, ALICE);
    await w.operate(approveReturnContract, {}, BEA);
    await w.operate(startReturnContract, {}, BEA);
    expect((await confirm(stale)).body.detail).toContain('has changed since it was proposed');
    expect([w.kept().return?.sendingAt, w.kept().lastSending]).toEqual([expect.any(String), 2]);
  });

  test('it is started and recorded although a poll writes what it has found at the same moment', async () => {
    const w = await byHand();
    w.custodian.outgoing = [left()];
    for (const work of [() => w.operate(startReturnContract, {}, BEA), () => record(w)]) {
      const confirmations = (w.kept().transfer?.confirmations ?? 0) + 1;
      w.beforeNextWrite('deposits', () => putFacts(w, { amount: '99', confirmations }));
      expect((await work()).status).toBe(200);
    }
  });

  test('of two equal movements of a transaction the one that has returned no other deposit is recorded; when both have, none', async () => {
    const taken = (movementId: string) => ({
      claim: `RETURN#${OTHER_HASH}#${movementId}`,
      custodianTransferId: 'another',
    });
    const w = await byHand();
    await w.operate(startReturnContract, {}, BEA);
    w.custodian.outgoing = [left(), left({ movementId: 'custodian:out-2' })];
    w.table('hashes').put(taken('custodian:custodian:out-1'));
    expect((await record(w)).body.status).toBe('RETURNED');
    const none = await byHand();
    await none.operate(startReturnContract, {}, BEA);
    none.custodian.outgoing = [left()];
    none.table('hashes').put(taken('custodian:custodian:out-1'));
    expect((await record(none)).body.detail).toContain('one movement returns one deposit');
    expect(none.status()).toBe('RETURN_REQUESTED');
  });

  test.each<[string, (w: ReturnWorld) => void]>([
    ['is held', (w) => putFacts(w, { amount: '99', state: 'HELD' })],
    ['was corrected', (w) => putFacts(w, { amount: '9' })],
    [
      'was corrected, as the custodian says by now, too',
      (w) => {
        putFacts(w, { amount: '9' });
        w.custodian.transfer = transfer({ amount: '9' });
      },
    ],
    ['may have been paid out', (w) => w.putOperation({ contradictedSince: CREATED_AT })],
    [
      'is another record of a movement',
      (w) => w.table('hashes').put({ claim: `MOVEMENT#ETHEREUM#${HASH}#${ID}`, custodianTransferId: 'another' }),
    ],
  ])('nothing is started that %s', async (_, change) => {
    const w = await byHand();
    change(w);
    expect([(await w.operate(startReturnContract, {}, BEA)).status, w.kept().lastSending]).toEqual([409, undefined]);
  });
});

test('decisions 9, sending: while the service sends it, only the transfer that it sends is recorded', async () => {
  const w = await returnWorld();
  const record = () => w.operate(recordReturnContract, { hash: OTHER_HASH }, BEA);
  expect((await record()).status).toBe(409);
  await w.ask();
  await w.operate(approveReturnContract);
  expect((await w.operate(startReturnContract, {}, BEA)).body.detail).toContain('The service sends it');
  w.custodian.answer = 'PENDING';
  await w.pass(2);
  const [externalId] = w.orders.keys();
  w.custodian.outgoing = [left()];
  expect((await record()).body.detail).toContain('not the one that it sends');
  w.custodian.outgoing = [left(), left({ movementId: 'custodian:out-2', externalId })];
  expect((await record()).body).toMatchObject({ status: 'RETURNED' });
  // The service then polls the outcome, as for any return that it sends itself.
  expect(w.kept().return).not.toHaveProperty('isByHand');
});

test.each([requestReturnContract, approveReturnContract, creditDepositContract, settleDepositContract])(
  'a search for a hash is no deposit: $name',
  async (contract) => {
    const w = await returnWorld();
    await w.operate(searchHashContract, { network: 'ETHEREUM', txHash: OTHER_HASH, custodianTransferId: undefined });
    const custodianTransferId = `HASH#operators#ETHEREUM#${OTHER_HASH}`;
    expect(w.table('deposits').find({ custodianTransferId })).toBeDefined();
    const given = contract === settleDepositContract ? { outcome: 'kept' } : {};
    expect((await w.operate(contract, { ...given, custodianTransferId })).status).toBe(404);
  },
);

test('decisions 9: a tag counts without an address, too', async () => {
  const w = await returnWorld();
  await w.ask();
  const address = 'GA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVSGZ';
  const { transfer: _, return: frozen, ...deposit } = w.kept();
  if (frozen === undefined) throw new Error('Nobody has requested it.');
  w.putDeposit({ ...deposit, network: 'STELLAR', return: { ...frozen, address, tag: '1', approversNeeded: 2 } });
  for (const [contract, who] of [
    [requestReturnContract, CARL],
    [approveReturnContract, BEA],
  ] as const) {
    expect((await w.operate(contract, { tag: '2' }, who)).status).toBe(409);
    expect((await w.operate(contract, { tag: '1' }, who)).status).toBe(200);
  }
  // The person who sends the return by hand needs its tag, before and after starting it.
  const { return: approved, ...rest } = w.kept();
  if (approved === undefined) throw new Error('Its return was ended.');
  for (const sendingAt of [undefined, CREATED_AT]) {
    w.putDeposit({
      ...rest,
      returnState: 'WAITING',
      return: { ...approved, approversNeeded: 1, isByHand: true, sendingAt, ...(sendingAt && { startedBy: BEA }) },
    });
    expect(await listed(w)).toMatchObject([{ what: expect.stringContaining(`to ${address} with the tag 1`) }]);
  }
});
