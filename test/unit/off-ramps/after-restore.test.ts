import { describe, expect, test } from 'vitest';
import { networkSpecs } from '#shared/networks/network.ts';
import { settleDepositContract, unsettleDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { approveReturnContract } from '#shared/off-ramps/contract/return-commands.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, deposit } from '#shared/off-ramps/model/deposit.ts';
import { depositNextStep } from '#shared/off-ramps/model/next-step.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { detectionWorld, NOTIFIED } from '#test/support/detection-world.ts';
import { OPERATION } from '#test/support/ids.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';
import { CREATED_AT, offRamp, transfer } from '#test/support/off-ramp.ts';
import { returnWorld } from '#test/support/return-world.ts';

const ID = NOTIFIED.custodianTransferId;
const HOUR = 3600;
const restoredAt = CREATED_AT;

/** A final transfer to an unknown address, while a restore is being put right. */
async function unknown(sent: Partial<CustodianTransfer> = {}) {
  const lines = captureLogs();
  const given = { isNobodys: true as const, operation: {}, restoredAt, transfers: [transfer(sent)] };
  const world = detectionWorld(given);
  await world.notified();
  const calls = () => lines.filter(({ level }) => level === 'error').map(({ code }) => code);
  const kept = (): Deposit => deposit.parse(world.kept(ID));
  /** Puts back the off-ramp of the address (`isNobodys`), or removes the setting of the restore (`restoredAt`). */
  const without = (name: keyof typeof given) => Reflect.deleteProperty(given, name);
  return { world, kept, calls, without };
}

describe('decisions 9, after a restore: a deposit to an address that is not known', () => {
  test('calls somebody each hour, is in the list of finance, and is credited by itself once its off-ramp is put back', async () => {
    const { world, kept, calls, without } = await unknown();
    expect(kept()).toMatchObject({ ignoredReason: 'NOT_OURS', unmatched: 'UNMATCHED' });
    expect(depositNextStep(kept(), undefined)).toMatchObject({
      who: 'FINANCE',
      what: expect.stringMatching(/put-back/),
    });
    await world.pass(2.5 * HOUR);
    expect(calls()).toEqual(['DEPOSIT_NOT_OURS', 'DEPOSIT_NOT_OURS', 'DEPOSIT_NOT_OURS']);
    without('isNobodys');
    await world.pass(HOUR);
    expect([[...new Set(world.confirmed)], calls().length]).toEqual([[OPERATION], 3]);
  });

  test('calls nobody any more once it is settled', async () => {
    const { world, kept, calls } = await unknown();
    const { unmatched: _, unmatchedSince: __, ...left } = kept();
    world.put({ ...left, settled: { outcome: 'KEPT', by: 'alice', at: CREATED_AT, reason: 'Never for us' } });
    await world.notified();
    await world.pass(3 * HOUR);
    expect([calls(), kept().unmatched, kept().nextPollAt]).toEqual([['DEPOSIT_NOT_OURS'], undefined, undefined]);
  });

  test('of a token that is not served is listed, and calls nobody: anybody can send one', async () => {
    const { kept, calls } = await unknown({ assetId: 'SCAM' });
    expect([kept().unmatched, calls()]).toEqual(['UNMATCHED', []]);
  });

  test.each<Partial<CustodianTransfer>>([{ state: 'UNCONFIRMED' }, { state: 'FAILED' }, { isFromCustodian: true }])(
    'is only counted: %j',
    async (sent) => {
      const { kept, calls } = await unknown(sent);
      expect([kept().unmatched, calls()]).toEqual([undefined, []]);
    },
  );

  test.each([
    ['is to no address of ours', {}],
    ['is from an account of the custodian itself', { isFromCustodian: true }],
  ])(
    'that was filed as nobody’s, and by now %s, stays in the list of finance, and calls nobody again',
    async (_, now) => {
      const { world, kept, calls } = await unknown({ toAddress: 'unreadable' });
      const { unmatchedSince } = kept();
      world.custodian.transfers = [transfer(now)];
      await world.notified();
      await world.pass(2 * HOUR);
      expect(kept()).toMatchObject({ unmatched: 'UNMATCHED', unmatchedSince, reasons: [] });
      expect([calls(), world.asked.length]).toEqual([['DEPOSIT_UNMATCHED'], 2]);
    },
  );

  test('that was filed without an owner, and had failed, is in the list of finance again once it is final', async () => {
    const { world, kept } = await unknown({ toAddress: 'unreadable' });
    world.custodian.transfers = [transfer({ toAddress: 'unreadable', state: 'FAILED' })];
    await world.notified();
    expect(kept().unmatched).toBeUndefined();
    world.custodian.transfers = [transfer()];
    await world.notified();
    expect(kept().unmatched).toBe('UNMATCHED');
  });

  test('goes to finance if the restore has lost only the off-ramp of its address, not the owner of the address', async () => {
    const lines = captureLogs();
    const world = detectionWorld({ isLost: true, operation: {}, restoredAt });
    await world.notified();
    expect(world.kept(ID)).toMatchObject({ operationId: OPERATION, unmatched: 'UNMATCHED', reasons: [] });
    expect(lines.map(({ code }) => code)).toEqual(['DEPOSIT_UNMATCHED']);
  });

  test('is off the list of finance at its next poll once the restore is put right', async () => {
    const { world, kept, calls, without } = await unknown();
    without('restoredAt');
    await world.pass(HOUR);
    expect([kept().unmatched, kept().nextPollAt, calls()]).toEqual([undefined, undefined, ['DEPOSIT_NOT_OURS']]);
  });

  test('is listed again and polled when its settlement is undone, so that it is credited once its off-ramp is put back', async () => {
    const all = lookUpWorld();
    const { unmatched: _, unmatchedSince: __, nextPollAt: ___, ...seen } = (await unknown()).kept();
    const settled = { outcome: 'KEPT', by: 'alice', at: CREATED_AT, reason: 'Never for us' } as const;
    all.table('deposits').put({ ...seen, settled });
    const undone = await all.change(unsettleDepositContract, { custodianTransferId: ID });
    expect(undone.status).toBe(200);
    const [found] = all.table('deposits').items();
    const now = all.clock.now().toISOString();
    expect(found).toMatchObject({ unmatched: 'UNMATCHED', unmatchedSince: now, nextPollAt: now, dueAt: now });
    expect(found).not.toHaveProperty('settled');
  });

  test('is settled by two persons', async () => {
    const all = lookUpWorld();
    const { unmatched, unmatchedSince, ignoredReason, ...seen } = (await unknown()).kept();
    const put = (listed: object) => all.table('deposits').put({ ...seen, ignoredReason, ...listed });
    put({});
    const settle = () => all.change(settleDepositContract, { custodianTransferId: ID, outcome: 'kept' });
    expect((await settle()).status).toBe(409);
    put({ unmatched, unmatchedSince });
    expect(await settle()).toMatchObject({ status: 200, body: { proposal: {} } });
  });
});

describe('decisions 9, after a restore: what had ended since then is left to people', () => {
  const tables = { operations: 'operations', hashes: 'hashes', deposits: 'deposits', events: 'events' };

  test.each([
    ['sent back', 'RETURNED', 3],
    ['asked back', 'RETURN_REQUESTED', 2],
  ] as const)('a deposit that was %s, and is detected once more', async (_, status, sequence) => {
    const w = await returnWorld();
    const before = (['operations', 'hashes'] as const).map((name) => [w.table(name), w.table(name).items()] as const);
    await w.ask();
    if (status === 'RETURNED') await w.operate(approveReturnContract);
    await w.pass(3);
    expect(w.status()).toBe(status);
    for (const [table, items] of before) table.restore(items);
    const { custodianTransferId, network, txHash } = transfer();
    const times = { firstNotifiedAt: CREATED_AT, lastNotifiedAt: CREATED_AT };
    w.table('deposits').restore([{ custodianTransferId, network, txHash, ...times, sequence }]);
    w.custodian.transfer = transfer({ state: 'UNCONFIRMED' });
    await w.poll();
    expect(w.told().at(-1)).toEqual([sequence + 1, null, 'DETECTED']);
    const credit = createCreditDeposit(w.dynamo, tables, w.clock, networkSpecs, restoredAt);
    expect((await credit(OPERATION, transfer())).outcome).toBe('UNMATCHED');
  });

  test('a deposit to an address that its user keeps, of an off-ramp that another deposit had funded', async () => {
    captureLogs();
    const all = lookUpWorld();
    await all.create(offRamp());
    const [before, deposits] = [all.table('operations').items(), all.table('deposits').items()];
    const hashes = all.table('hashes').items();
    const credit = createCreditDeposit(all.dynamo, tables, all.clock, networkSpecs, restoredAt);
    expect((await credit(OPERATION, transfer())).outcome).toBe('CREDITED');
    all.table('operations').restore(before);
    all.table('deposits').restore(deposits);
    all.table('hashes').restore(hashes);
    const other = transfer({ custodianTransferId: 'of-a-later-off-ramp', txHash: `0x${'7'.repeat(64)}` });
    expect((await credit(OPERATION, other)).outcome).toBe('UNMATCHED');
    expect((await credit(OPERATION, transfer())).outcome).toBe('CREDITED');
  });

  test.each([
    ['CANCELLED', 'while it is put right', restoredAt, 'UNMATCHED'],
    ['FAILED', 'while it is put right', restoredAt, 'UNMATCHED'],
    ['CANCELLED', 'otherwise it is credited', undefined, 'CREDITED'],
  ] as const)('a deposit of an off-ramp that was there at the second and became %s then, %s', async (...given) => {
    const [status, , since, outcome] = given;
    captureLogs();
    const all = lookUpWorld();
    await all.create(offRamp());
    const before = all.table('operations').items();
    const end = createEndOperation(all.dynamo, tables, all.clock);
    await end(offRamp(), { status });
    all.table('operations').restore(before);
    const credit = createCreditDeposit(all.dynamo, tables, all.clock, networkSpecs, since);
    expect((await credit(OPERATION, transfer())).outcome).toBe(outcome);
  });
});
