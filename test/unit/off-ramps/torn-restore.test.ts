import { describe, expect, test } from 'vitest';
import { networkSpecs } from '#shared/networks/network.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { detectionWorld } from '#test/support/detection-world.ts';
import { OPERATION, STRANGER } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { CREATED_AT, HASH, offRamp, RULES, transfer } from '#test/support/off-ramp.ts';
import { payoutEventsWorld } from '#test/support/payout-events-world.ts';

const TABLES = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };
const restoredAt = CREATED_AT;

/** The items that a credit writes, except its events, which no restore touches. */
const PARTS = ['operation', 'FUNDED', 'MOVEMENT', 'deposit'] as const;

const SOME = Array.from({ length: 2 ** PARTS.length - 2 }, (_, bits) =>
  PARTS.filter((_, at) => ((bits + 1) >> at) % 2 === 1),
);

/** A credit of which the restored tables have only these items. */
async function torn(kept: readonly string[]) {
  captureLogs();
  const all = lookUpWorld();
  const { clock, dynamo, table } = all;
  await all.create(offRamp());
  await createDepositRepository(dynamo, 'deposits', clock).remember(transfer(), clock.now());
  const names = ['operations', 'hashes', 'deposits'] as const;
  const items = () => names.map((name) => table(name).items());
  const before = items();
  await createCreditDeposit(dynamo, TABLES, clock, RULES)(OPERATION, transfer());
  const [operations = [], hashes = [], deposits = []] = items();
  const isKept = (one: Item) => kept.some((part) => String(one['claim']).startsWith(part));
  const addresses = hashes.filter(({ claim }) => String(claim).startsWith('ADDRESS'));
  table('operations').restore(kept.includes('operation') ? operations : (before[0] ?? []));
  table('hashes').restore([...addresses, ...hashes.filter(isKept)]);
  table('deposits').restore(kept.includes('deposit') ? deposits : (before[2] ?? []));
  clock.advance(3600);
  const credit = createCreditDeposit(dynamo, TABLES, clock, networkSpecs, restoredAt);
  return {
    all,
    credit,
    hashes,
    deposit: () => table('deposits').items()[0],
    operation: () => table('operations').items()[0],
  };
}

describe('decisions 9, after a restore: a credit of which the tables have only a part', () => {
  test.each(SOME.map((kept) => [kept] as const))('%j is completed by the next poll of its deposit', async (kept) => {
    const { all, credit, hashes, deposit, operation } = await torn(kept);
    expect((await credit(OPERATION, transfer())).outcome).toBe('CREDITED');
    expect(operation()).toMatchObject({ status: 'PENDING', verifiedTxHash: HASH });
    expect(deposit()).toMatchObject({ operationId: OPERATION, creditedAt: operation()?.['creditedAt'] });
    const sorted = (items: readonly Item[]) =>
      items.toSorted((one, other) => (String(one['claim']) < String(other['claim']) ? -1 : 1));
    expect(sorted(all.table('hashes').items())).toEqual(sorted(hashes));
  });

  test('is completed where the deposit was taken back since then, unless its operation awaits it', async () => {
    const gone = transfer({ state: 'FAILED' });
    const known = await torn(['operation']);
    expect((await known.credit(OPERATION, gone)).outcome).toBe('CREDITED');
    expect(known.deposit()).toMatchObject({ creditedAt: expect.any(String), transfer: { state: 'FAILED' } });
    const awaiting = await torn(['deposit']);
    expect((await awaiting.credit(OPERATION, gone)).outcome).toBe('UNMATCHED');
    expect(awaiting.operation()).toMatchObject({ status: 'AWAITING_DEPOSIT' });
  });

  test.each([
    ['another transfer of its transaction, which was never credited', { custodianTransferId: 'transfer-2' }],
    ['a transfer of another transaction', { custodianTransferId: 'transfer-3', txHash: `0x${'7'.repeat(64)}` }],
  ])('is completed with no other deposit: %s', async (_, other) => {
    const { credit, deposit } = await torn(['operation']);
    expect((await credit(OPERATION, transfer(other))).outcome).toBe('NOT_AWAITING');
    expect(deposit()).not.toHaveProperty('creditedAt');
  });

  test('is not completed once a person has kept the deposit', async () => {
    const { all, credit, deposit } = await torn(['operation']);
    all.table('deposits').put({ ...deposit(), settled: { outcome: 'KEPT', by: 'alice', at: CREATED_AT, reason: 'x' } });
    expect((await credit(OPERATION, transfer())).outcome).toBe('NOT_AWAITING');
  });

  test.each([
    ['is looked for at a credited deposit', restoredAt, [OPERATION]],
    ['is looked for only while a restore is put right', undefined, []],
  ] as const)('%s', async (_, since, confirmed) => {
    captureLogs();
    const world = detectionWorld({ operation: {}, ...(since && { restoredAt: since }) });
    const poll = await world.stored();
    world.credit(OPERATION);
    await world.matchDeposit(poll);
    expect(world.confirmed).toEqual(confirmed);
  });

  test('is not looked for while the custodian does not know its deposit', async () => {
    const lines = captureLogs();
    const world = detectionWorld({ operation: {}, restoredAt, transfers: [] });
    world.credit(OPERATION);
    await world.notified();
    expect([world.confirmed, lines]).toEqual([[], []]);
  });

  test.each([
    ['somebody where its operation has ended without it', 'NOT_AWAITING', { status: 'CANCELLED' }, ['DEPOSIT_OWED']],
    ['nobody where its operation has it', 'NOT_AWAITING', { status: 'PENDING', verifiedTxHash: HASH }, []],
    ['nobody once it is completed', 'CREDITED', {}, []],
  ] as const)('calls %s', async (_, outcome, operation, called) => {
    const lines = captureLogs();
    const world = detectionWorld({ operation, restoredAt, outcome });
    const poll = await world.stored();
    world.credit(OPERATION);
    await world.matchDeposit(poll);
    expect(lines.filter(({ level }) => level === 'error').map(({ code }) => code)).toEqual(called);
  });

  test.each([
    ['of another wallet, which a person had credited, is completed, too', restoredAt, {}, [OPERATION]],
    [
      'that was taken back since then is completed, so that somebody is called',
      restoredAt,
      { state: 'FAILED' },
      [OPERATION],
    ],
    ['of another wallet is not asked about without a restore', undefined, {}, []],
    ['of another transaction is not asked about', restoredAt, { txHash: `0x${'7'.repeat(64)}` }, []],
  ] as const)('%s', async (_, since, facts, confirmed) => {
    captureLogs();
    const operation = { status: 'PENDING', verifiedTxHash: HASH, senderAddress: `0x${'99'.repeat(20)}` } as const;
    const about = { txHash: transfer(facts).txHash };
    const world = detectionWorld({
      operation,
      about,
      transfers: [transfer(facts)],
      ...(since && { restoredAt: since }),
    });
    await world.notified();
    expect(world.confirmed).toEqual(confirmed);
    const isPolledAtFinality = world.kept('transfer-1').nextPollAt === '2026-08-01T12:03:00.000Z';
    expect(isPolledAtFinality).toBe(confirmed.length > 0);
  });
});

describe('decisions 9, after a restore: an end of which the tables have the off-ramp only', () => {
  const fail = ({ tell }: Awaited<ReturnType<typeof payoutEventsWorld>>) =>
    tell({ status: 'FAILED', eventId: 'failed' });
  const torn = async () => {
    captureLogs();
    const world = await payoutEventsWorld();
    const before = world.table('deposits').items();
    await fail(world);
    world.table('deposits').restore(before);
    return world;
  };

  test('is in the list of what is owed once it is told again, with the time of that', async () => {
    const world = await torn();
    expect(await world.owed()).toEqual([]);
    world.clock.advance(60);
    await fail(world);
    const owedSince = world.clock.now().toISOString();
    expect(world.table('deposits').items()).toMatchObject([{ owed: 'OWED', owedSince }]);
    world.clock.advance(60);
    await fail(world);
    expect(world.table('deposits').items()).toMatchObject([{ owedSince }]);
  });

  test('is in no list where its payout came back, and another one is said at the same moment', async () => {
    const world = await torn();
    world.beforeNextWrite('deposits', () => {
      const [operation] = world.table('operations').items();
      world.table('operations').put({ ...operation, sequence: Number(operation?.['sequence']) + 1, paidOut: true });
    });
    await fail(world);
    expect(world.table('deposits').items()[0]).not.toHaveProperty('owed');
  });

  test.each([
    ['finance has kept', { settled: { outcome: 'KEPT', by: 'alice', at: CREATED_AT, reason: 'x' } }],
    ['is credited to another off-ramp', { operationId: STRANGER }],
  ])('is not in the list where the deposit %s', async (_, differences) => {
    captureLogs();
    const world = await payoutEventsWorld();
    await fail(world);
    const [deposit] = world.table('deposits').items();
    const { owed: _owed, owedSince: _since, ...left } = deposit ?? {};
    world.table('deposits').put({ ...left, ...differences });
    await fail(world);
    expect(world.table('deposits').items()[0]).not.toHaveProperty('owed');
  });

  test('is in no list where it was paid out', async () => {
    captureLogs();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    await world.pay('P-1');
    expect(world.table('deposits').items()[0]).not.toHaveProperty('owed');
  });
});
