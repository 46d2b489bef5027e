import { describe, expect, test } from 'vitest';
import { creditDepositContract, settleDepositContract } from '#shared/off-ramps/contract/operator-commands.ts';
import {
  approveReturnContract,
  declineReturnContract,
  recordReturnContract,
  startReturnContract,
} from '#shared/off-ramps/contract/return-commands.ts';
import { depositNextStep, operationNextStep } from '#shared/off-ramps/model/next-step.ts';
import { CREATED_AT, OTHER_HASH, offRamp } from '#test/support/off-ramp.ts';
import { BEA, returnWorld } from '#test/support/return-world.ts';

const heldSince = CREATED_AT;

/** A time this many days after the second of the restore. */
const daysAfter = (days: number) => new Date(Date.parse(heldSince) + days * 24 * 3600_000).toISOString();

/** A requested and approved return after a restore, while the books have not matched what went out since. */
async function held(given: Parameters<typeof returnWorld>[0] = {}) {
  const w = await returnWorld({ heldSince, ...given });
  await w.ask();
  expect((await w.operate(approveReturnContract)).status).toBe(200);
  return w;
}

const raise = (): never => {
  throw new Error('Its return is gone.');
};

const restore = ({ terms }: Awaited<ReturnType<typeof returnWorld>>) =>
  Object.assign(terms, { heldSince, restoredAt: heldSince });

/** Makes the books match; the restore is not put right yet. */
const open = (w: Awaited<ReturnType<typeof held>>) => Reflect.deleteProperty(w.terms, 'heldSince');

describe('decisions 9, after a restore: held returns', () => {
  test('nothing is sent while they are held, a person can read why, and they go on by themselves', async () => {
    const w = await held();
    await w.pass(60);
    expect([w.orders.size, w.status(), w.kept().lastSending]).toEqual([0, 'RETURN_REQUESTED', undefined]);
    expect(w.lines.filter(({ code }) => code === 'RETURN_HELD').length).toBeGreaterThan(5);
    const known = { operation: offRamp(), verification: undefined, isApproved: true, now: w.clock.now() };
    for (const step of [
      depositNextStep(w.kept(), undefined, { heldSince }),
      operationNextStep({ ...known, deposits: [w.kept()], heldSince }),
    ])
      expect(step).toMatchObject({
        who: 'FINANCE',
        what: expect.stringContaining(`Returns are held: tables were restored to ${heldSince}`),
      });
    open(w);
    await w.pass(7);
    expect([w.orders.size, w.status()]).toEqual([1, 'RETURNED']);
  });

  test('nobody may credit or keep the deposit by hand: it may have been sent back', async () => {
    const w = await returnWorld({ heldSince });
    const answers = [
      await w.operate(creditDepositContract),
      await w.operate(settleDepositContract, { outcome: 'kept' }),
    ];
    expect(answers.map(({ status, body }) => [status, /Returns are held/.test(body.detail)])).toEqual([
      [409, true],
      [409, true],
    ]);
    // Nobody has requested the return of a deposit without an off-ramp.
    w.putDeposit({ ignoredReason: 'NOT_OURS', reasons: undefined, operationId: undefined });
    expect((await w.operate(settleDepositContract, { outcome: 'kept' })).status).toBe(200);
  });

  test('a held return can be declined, and nobody may record it as sent by hand before', async () => {
    const w = await held();
    expect((await w.operate(recordReturnContract, { hash: OTHER_HASH }, BEA)).body.detail).toContain('start-return');
    await w.pass(10);
    expect((await w.operate(declineReturnContract)).status).toBe(200);
    expect(w.status()).toBe('UNMATCHED');
  });

  test('a return that the custodian has from before the restore is found to have left, and is not sent again', async () => {
    const w = await returnWorld();
    const tables = (['operations', 'deposits', 'hashes'] as const).map((name) => w.table(name));
    const before = tables.map((table) => table.items());
    await w.ask();
    await w.operate(approveReturnContract);
    await w.pass(3);
    expect(w.status()).toBe('RETURNED');
    for (const [position, table] of tables.entries()) table.restore(before[position] ?? []);
    restore(w);
    await w.ask();
    await w.operate(approveReturnContract);
    await w.pass(10);
    expect([w.status(), w.moved().length, w.orders.size]).toEqual(['RETURNED', 1, 1]);
  });

  test.each([
    [2, ['FAILED', 'REFUSED', 'REFUSED', 'COMPLETED']],
    // The last id that the service may have used: earlier ones left no trace.
    [1, ['REFUSED', 'REFUSED', 'REFUSED', 'REFUSED', 'COMPLETED']],
  ] as const)(
    'a return that has left under a later id, after ids that had not, is found: %i known, of %j',
    async (known, answers) => {
      const w = await returnWorld();
      const tables = (['operations', 'deposits', 'hashes'] as const).map((name) => w.table(name));
      const before = tables.map((table) => table.items());
      await w.ask();
      await w.operate(approveReturnContract);
      for (const [sent, answer] of answers.entries()) {
        w.custodian.answer = answer;
        while (w.kept().lastSending !== sent + 1) await w.pass(1);
      }
      await w.pass(3);
      expect([w.status(), w.kept().lastSending]).toEqual(['RETURNED', answers.length]);
      for (const [position, table] of tables.entries()) table.restore(before[position] ?? []);
      restore(w);
      await w.ask();
      await w.operate(approveReturnContract);
      await w.pass(60);
      expect([w.status(), w.kept().lastSending, w.moved().length, w.orders.size]).toEqual([
        ...['RETURNED', answers.length, 1, known],
      ]);
    },
  );

  /** A return whose first order has failed, and whose second one has not begun. */
  async function betweenTwo(answer: 'FAILED' | 'REFUSED' = 'FAILED') {
    const w = await returnWorld();
    await w.ask();
    await w.operate(approveReturnContract);
    w.custodian.answer = answer;
    await w.pass(1);
    w.custodian.answer = 'COMPLETED';
    while (w.kept().return?.sendingAt !== undefined) await w.pass(1);
    restore(w);
    return w;
  }

  test.each(['FAILED', 'REFUSED'] as const)(
    'nothing is sent under the next id while they are held, after one that was %s',
    async (answer) => {
      const w = await betweenTwo(answer);
      await w.pass(20);
      expect([w.moved(), w.kept().lastSending, w.status()]).toEqual([[], 1, 'RETURN_REQUESTED']);
      expect(w.errors()).toEqual(['RETURN_NOT_SENT']);
      open(w);
      await w.pass(7);
      expect([w.moved().length, w.kept().lastSending, w.status()]).toEqual([1, 2, 'RETURNED']);
    },
  );

  test('an order that was said to have failed, and has left after all, is found while they are held', async () => {
    const w = await betweenTwo();
    for (const id of w.orders.keys()) w.say(id, 'COMPLETED');
    await w.pass(20);
    expect([w.orders.size, w.kept().lastSending, w.status()]).toEqual([1, 1, 'RETURNED']);
  });

  test('a return that waits for a signature under a later id is not sent again when the books match the movements', async () => {
    const w = await returnWorld();
    const tables = (['operations', 'deposits', 'hashes'] as const).map((name) => w.table(name));
    const before = tables.map((table) => table.items());
    await w.ask();
    await w.operate(approveReturnContract);
    for (const [sent, answer] of (['REFUSED', 'PENDING'] as const).entries()) {
      w.custodian.answer = answer;
      while (w.kept().lastSending !== sent + 1) await w.pass(1);
    }
    await w.pass(2);
    const ordered = [...w.orders.keys()];
    for (const [position, table] of tables.entries()) table.restore(before[position] ?? []);
    restore(w);
    open(w);
    w.custodian.answer = 'COMPLETED';
    await w.ask();
    await w.operate(approveReturnContract);
    await w.pass(20);
    expect([[...w.orders.keys()], w.kept().lastSending]).toEqual([ordered, 2]);
  });

  test('a sending that was begun, and that its custodian has never had, waits', async () => {
    const w = await returnWorld();
    await w.ask();
    await w.operate(approveReturnContract);
    w.custodian.answer = 'UNAVAILABLE';
    await w.pass(2);
    w.custodian.answer = 'COMPLETED';
    restore(w);
    await w.pass(20);
    expect([w.kept().lastSending, w.orders.size]).toEqual([1, 0]);
    open(w);
    await w.pass(7);
    expect([w.status(), w.orders.size]).toEqual(['RETURNED', 1]);
  });

  test('nobody starts to send by hand', async () => {
    const w = await held({ isByHand: true });
    const refused = await w.operate(startReturnContract, {}, BEA);
    expect([refused.status, refused.body.code]).toEqual([409, 'OPERATION_STATUS_CONFLICT']);
    expect(refused.body.detail).toContain('Returns are held');
    expect((await w.operate(recordReturnContract, { hash: OTHER_HASH }, BEA)).status).toBe(409);
    expect(w.kept().return?.sendingAt).toBeUndefined();
  });

  /** A return requested again five days after the restored second, and sent by a person this many days after it. */
  async function sentByHand(days: number) {
    const w = await returnWorld({ heldSince, isByHand: true });
    w.clock.set(daysAfter(5));
    await w.ask();
    await w.operate(approveReturnContract);
    const { assetId, amount, from, address: toAddress } = w.kept().return ?? raise();
    const left = {
      movementId: 'by-hand',
      network: 'ETHEREUM',
      txHash: OTHER_HASH,
      createdAt: daysAfter(days),
    } as const;
    w.custodian.outgoing = [{ ...left, state: 'CONFIRMED', assetId, amount, from, toAddress }];
    return { w, record: () => w.operate(recordReturnContract, { hash: OTHER_HASH }, BEA) };
  }

  test('a return that was sent by hand between the restored second and the request is recorded, and watched from that second on', async () => {
    const { w, record } = await sentByHand(1);
    expect((await record()).body).toMatchObject({ status: 'RETURNED' });
    expect(w.orders.size).toBe(0);
    w.custodian.outgoing = w.custodian.outgoing.map((one) => ({ ...one, state: 'FAILED' }));
    await w.pass(30);
    expect([w.status(), w.errors()]).toEqual(['RETURN_REQUESTED', ['RETURN_UNDONE']]);
  });

  test('a movement that was sent by hand long before the restored second is not the return that was requested since', async () => {
    const { record } = await sentByHand(-5);
    expect((await record()).status).toBe(409);
  });
});
