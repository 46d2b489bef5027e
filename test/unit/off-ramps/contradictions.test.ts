import { describe, expect, test } from 'vitest';
import { resolveContradictionContract } from '#shared/off-ramps/contract/operator-commands.ts';
import { readDepositContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import { statusHistoryOf } from '#shared/off-ramps/model/off-ramp.ts';
import { CannotHandleYet } from '#shared/platform/aws/messages.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { OPERATION } from '#test/support/ids.ts';
import { EVENTS_AT, payoutEventsWorld } from '#test/support/payout-events-world.ts';

/** The codes of log lines that raise an alarm. */
function called() {
  const lines = captureLogs();
  return () => lines.filter(({ level }) => level === 'error').map(({ code }) => code);
}

const CONTRADICTED = 'STATUS_CHANGE_CONTRADICTED';

type World = Awaited<ReturnType<typeof payoutEventsWorld>>;

/** A person resolves the contradictions that are stored now. */
const decide = async (world: World, outcome: string) =>
  world.change(resolveContradictionContract, {
    ...{ operationId: OPERATION, outcome },
    sequence: String((await world.kept()).sequence),
  });

/** The next steps that the look-ups of the operation and of its deposit show. */
async function nextSteps({ look, lookAt }: World): Promise<readonly string[]> {
  const deposit = await lookAt(readDepositContract, { deposit: 'transfer-1' });
  return [(await look()).next, deposit.body.next].map(({ who, what }) => `${who} ${what}`);
}

describe('decisions 4: a deposit whose off-ramp was paid out is not given back', () => {
  test.each(['CANCELLED', 'FAILED'])('%s, and paid out all the same', async (first) => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.tell({ status: first, reason: 'REVIEW' }, { source: 'payments.compliance' });
    await world.pay('P-1');
    expect(codes()).toEqual(['DEPOSIT_OWED', CONTRADICTED]);
    for (const step of await nextSteps(world)) {
      expect(step).toMatch(/^FINANCE Payouts reports that it was paid \(P-1\), and it is/);
      expect(step).toContain('returns nothing before');
    }
    expect(await world.contradicted()).toMatchObject([
      { operationId: OPERATION, status: first, said: ['COMPLETED'], since: EVENTS_AT, who: 'FINANCE' },
    ]);
    expect(await world.owed()).toMatchObject([{ what: expect.stringContaining('Payouts reports that it was paid') }]);
    expect(await world.look()).toMatchObject({
      status: first,
      contradictions: [
        { status: 'COMPLETED', source: 'payments.payouts', payout: { reference: 'P-1' }, at: EVENTS_AT },
      ],
    });
  });

  test('paid out, and said to have failed: nothing is owed, and somebody finds out', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    await world.tell({ status: 'FAILED', reason: 'ACCOUNT_CLOSED' });
    expect(codes()).toEqual([CONTRADICTED]);
    expect((await nextSteps(world))[0]).toContain('payments.payouts reports a failure after the payout');
    expect([await world.owed(), (await world.contradicted()).length]).toEqual([[], 1]);
    expect((await world.kept()).status).toBe('COMPLETED');
  });

  test('paid out, and the bank returns it: it is owed, and in both lists', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    await world.giveBack('P-1');
    expect(codes()).toEqual([CONTRADICTED]);
    expect(await world.contradicted()).toMatchObject([{ status: 'COMPLETED', said: ['PAYOUT_RETURNED'] }]);
    expect(await world.owed()).toMatchObject([{ operationId: OPERATION, status: 'COMPLETED' }]);
    expect((await nextSteps(world))[0]).toContain('Payouts reports that the payout came back (P-1)');
    expect(statusHistoryOf(await world.kept()).map(({ status }) => status)).toEqual([
      'AWAITING_DEPOSIT',
      'PENDING',
      'COMPLETED',
    ]);
  });

  test.each(['CANCELLED', 'FAILED'])('%s, and a payout of it came back: somebody finds out', async (status) => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.tell({ status });
    await world.giveBack('P-1');
    expect(codes()).toEqual(['DEPOSIT_OWED', CONTRADICTED]);
    expect(await world.contradicted()).toMatchObject([{ status, said: ['PAYOUT_RETURNED'] }]);
  });

  test('CANCELLED and FAILED do not contradict each other', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.cancel();
    await world.tell({ status: 'FAILED' });
    expect([codes(), await world.contradicted()]).toEqual([['DEPOSIT_OWED'], []]);
  });

  test('of two statuses at once one is applied, and the other is kept', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await Promise.all([world.pay('P-1'), world.cancel()]);
    const { status, contradictions } = await world.kept();
    expect([status, contradictions?.map((one) => one.status)]).toEqual(
      status === 'COMPLETED' ? ['COMPLETED', ['CANCELLED']] : ['CANCELLED', ['COMPLETED']],
    );
    expect(codes()).toContain(CONTRADICTED);
  });

  test.each([
    ['a return', 'operation.payout_returned', {}],
    ['a payout', 'operation.status', { status: 'COMPLETED' }],
  ])('compliance knows of no payout: %s of its is refused, and somebody is called', async (_, type, told) => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    const before = await world.kept();
    await world.tell({ ...told, payout: { reference: 'P-9' } }, { source: 'payments.compliance', type });
    expect([codes(), await world.kept()]).toEqual([['STATUS_CHANGE_REFUSED'], before]);
  });
});

describe('decisions 4: a repeat is no second alarm', () => {
  test('while it stands, if the same service repeats the same words; other words are news', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    await world.tell({ status: 'FAILED' });
    await world.tell({ status: 'FAILED' });
    expect(codes()).toEqual([CONTRADICTED]);
    await world.tell({ status: 'FAILED' }, { source: 'payments.compliance' });
    await world.tell({ status: 'CANCELLED' });
    await world.giveBack('P-1');
    expect(codes()).toHaveLength(4);
  });

  test('once it is resolved, if the same event comes again; a new event is a new alarm', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.cancel();
    await world.pay('P-1', { eventId: 'first' });
    await decide(world, 'not-paid');
    await world.pay('P-1', { eventId: 'first' });
    expect(codes()).toEqual(['DEPOSIT_OWED', CONTRADICTED]);
    await world.pay('P-1', { eventId: 'second' });
    expect(codes()).toEqual(['DEPOSIT_OWED', CONTRADICTED, CONTRADICTED]);
    expect(await world.kept()).not.toHaveProperty('paidOut');
  });

  test('an event without an id has the id of its envelope, however often it comes', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.cancel();
    const paid = (id: string, reference: string) =>
      world.tell({ status: 'COMPLETED', eventId: undefined, payout: { reference } }, { id });
    await paid('envelope-7', 'P-1');
    await paid('envelope-7', 'P-1');
    await paid('envelope-8', 'P-2');
    expect((await world.kept()).contradictions?.map(({ eventId }) => eventId)).toEqual([
      'envelope:envelope-7',
      'envelope:envelope-8',
    ]);
    expect(codes()).toEqual(['DEPOSIT_OWED', CONTRADICTED, CONTRADICTED]);
  });

  test('a function that died between the write and the alarm raises the alarm when the message comes again', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    const failed = { status: 'FAILED', eventId: 'failed' };
    const paid = { status: 'COMPLETED', eventId: 'paid' };
    await world.tell(failed);
    await world.tell(failed, { isRepeat: true });
    await world.tell(paid);
    await world.tell(paid, { isRepeat: true });
    expect(codes()).toEqual(['DEPOSIT_OWED', 'DEPOSIT_OWED', CONTRADICTED, CONTRADICTED]);
  });
});

describe('decisions 4: payouts and their references', () => {
  test('a payout under another reference is another one, even if it comes as the same event', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    for (const reference of ['P-1', 'P-2', 'P-2', 'P-3', 'P-1']) await world.pay(reference, { eventId: 'same' });
    expect(codes()).toEqual([CONTRADICTED, CONTRADICTED]);
    const { payout, contradictions = [] } = await world.kept();
    expect([payout, ...contradictions.map((one) => one.payout)]).toEqual([
      { reference: 'P-1' },
      { reference: 'P-2' },
      { reference: 'P-3' },
    ]);
  });

  test('another payout in the place of one that came back closes the return, and nothing is owed any more', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.pay('P-1', { eventId: 'first' });
    await world.giveBack('P-1');
    await world.pay('P-2');
    expect([await world.contradicted(), await world.owed()]).toEqual([[], []]);
    const kept = await world.kept();
    expect(kept).toMatchObject({ payout: { reference: 'P-2' }, contradictions: [{ closedAt: EVENTS_AT }] });
    expect(kept).not.toHaveProperty('contradictedSince');
    expect(await nextSteps(world)).toEqual(['NOBODY It was paid out.', 'NOBODY It funds its operation.']);
    // Repeated events are no news, in whatever order they come.
    await world.pay('P-1', { eventId: 'first' });
    await world.pay('P-1');
    await world.pay('P-2');
    expect([codes(), await world.kept()]).toEqual([[CONTRADICTED], kept]);
  });

  test('another payout while none came back is a second one', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    await world.pay('P-2');
    expect(codes()).toEqual([CONTRADICTED]);
    expect((await nextSteps(world))[0]).toContain('Payouts reports that it was paid a second time (P-2)');
    expect((await world.kept()).payout).toEqual({ reference: 'P-1' });
    expect(await world.owed()).toEqual([]);
  });

  test('a payout takes only the place of the one that came back', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    await world.pay('P-2');
    await world.giveBack('P-2');
    await world.pay('P-3');
    expect(codes()).toEqual([CONTRADICTED, CONTRADICTED, CONTRADICTED]);
    expect((await world.kept()).payout).toEqual({ reference: 'P-1' });
  });

  test('the known payout, and one without a reference, close nothing', async () => {
    called();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    await world.giveBack('P-1');
    await world.pay('P-1');
    await world.pay();
    expect((await world.contradicted())[0]).toMatchObject({ said: ['PAYOUT_RETURNED'] });
  });

  test.each([undefined, 'P-1'])('a return without a reference belongs to the known payout: %s', async (known) => {
    called();
    const world = await payoutEventsWorld();
    await world.pay(known);
    await world.giveBack();
    expect(await world.owed()).toHaveLength(1);
    await world.pay('P-2');
    expect([await world.contradicted(), await world.owed()]).toEqual([[], []]);
  });
});

describe('decisions 4: at most ten contradictions are kept', () => {
  test('and none that says that the off-ramp was paid is dropped', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.cancel();
    await world.pay('P-1');
    for (let number = 0; number < 1000; number += 1) await world.giveBack(`R-${number}`);
    const { contradictions = [] } = await world.kept();
    expect(contradictions.map(({ payout }) => payout?.reference)).toEqual([
      'P-1',
      ...Array.from({ length: 9 }, (_, last) => `R-${991 + last}`),
    ]);
    expect(codes()).toHaveLength(1002);
  });

  test('and if more than ten say so, their number is kept, too: they stand until somebody decides', async () => {
    called();
    const world = await payoutEventsWorld();
    await world.cancel();
    for (let number = 0; number < 12; number += 1) await world.pay(`P-${number}`);
    await world.giveBack('P-0');
    const kept = await world.kept();
    expect(kept.contradictions?.map(({ payout }) => payout?.reference)).toEqual(
      Array.from({ length: 10 }, (_, number) => `P-${number}`),
    );
    expect(kept).toMatchObject({ contradictionsNotKept: 3, contradictedSince: EVENTS_AT });
    const { body } = await decide(world, 'paid');
    expect(body).toMatchObject({ paidOut: true });
    expect(await world.kept()).not.toHaveProperty('contradictionsNotKept');
    await world.pay('P-99');
    expect(await world.contradicted()).toMatchObject([
      { what: expect.stringContaining('More contradictions were sent than are kept') },
    ]);
  });
});

describe('decisions 4: a status that comes before its deposit can be read is tried for half an hour', () => {
  const HALF_AN_HOUR = 1800_000;

  test.each([
    ['a payout of what awaits its deposit', false, { status: 'COMPLETED' }, 'operation.status'],
    ['a return of what awaits its deposit', false, {}, 'operation.payout_returned'],
    ['a return of what awaits its payout', true, {}, 'operation.payout_returned'],
  ])('%s is kept then', async (_, isCredited, told, type) => {
    const codes = called();
    const world = await payoutEventsWorld({ isCredited });
    const tell = (ago: number) => world.tell({ ...told, eventId: 'same' }, { type, ago });
    await expect(tell(0)).rejects.toThrow(CannotHandleYet);
    await expect(tell(HALF_AN_HOUR - 1)).rejects.toThrow('it is not decided yet');
    expect([codes(), await world.contradicted()]).toEqual([[], []]);
    await tell(HALF_AN_HOUR);
    await tell(HALF_AN_HOUR);
    expect(codes()).toEqual([CONTRADICTED]);
    expect((await world.kept()).contradictions).toMatchObject([{ at: '2026-08-01T11:32:00.000Z' }]);
  });

  test('a kept status ends the off-ramp when it is repeated after the deposit', async () => {
    called();
    const world = await payoutEventsWorld({ isCredited: false });
    const paid = { status: 'COMPLETED', payout: { reference: 'P-1' } };
    await world.tell(paid, { ago: HALF_AN_HOUR });
    await world.credit();
    await world.tell(paid);
    expect(await world.kept()).toMatchObject({ status: 'COMPLETED', payout: { reference: 'P-1' } });
    expect(await world.contradicted()).toHaveLength(1);
  });

  test('an off-ramp with a kept status that was found paid is not paid out once its deposit is there', async () => {
    called();
    const world = await payoutEventsWorld({ isCredited: false });
    await world.tell({ status: 'COMPLETED' }, { ago: HALF_AN_HOUR });
    await decide(world, 'paid');
    await world.credit();
    expect((await world.look()).next).toEqual({
      who: 'PAYOUTS',
      what: expect.stringMatching(/^Sends COMPLETED once more.* pays nothing/),
    });
  });
});

describe('decisions 4: a person decides', () => {
  test('paid: nothing is owed and nobody acts, whatever the status', async () => {
    called();
    const world = await payoutEventsWorld();
    await world.cancel();
    await world.pay('P-1');
    expect(await decide(world, 'paid')).toMatchObject({ status: 200, body: { status: 'CANCELLED', paidOut: true } });
    expect([await world.contradicted(), await world.owed()]).toEqual([[], []]);
    expect(await nextSteps(world)).toEqual([
      'NOBODY It was paid out, whatever its status.',
      'NOBODY It funds its operation.',
    ]);
    expect((await world.look()).changes).toMatchObject([{ command: 'resolve-contradiction', result: 'DONE' }]);
  });

  test.each([
    ['cancelled', (world: World) => world.cancel(), (world: World) => world.pay('P-1')],
    ['paid out', (world: World) => world.pay('P-1'), (world: World) => world.tell({ status: 'FAILED' })],
    ['returned', (world: World) => world.pay('P-1'), (world: World) => world.giveBack('P-1')],
  ])('not paid, of one that was %s: its deposit is owed', async (_, first, second) => {
    called();
    const world = await payoutEventsWorld();
    await first(world);
    await second(world);
    await decide(world, 'not-paid');
    expect([await world.contradicted(), (await world.owed()).length]).toEqual([[], 1]);
    expect((await nextSteps(world))[0]).toMatch(/^FINANCE Decides what happens to the deposit of 100.5 USDC/);
  });

  test('and decides again; a later status takes the decision back', async () => {
    called();
    const world = await payoutEventsWorld();
    await world.cancel();
    await world.pay('P-1');
    await decide(world, 'not-paid');
    await decide(world, 'paid');
    expect([(await world.kept()).paidOut, await world.owed()]).toEqual([true, []]);
    await world.pay('P-2');
    const kept = await world.kept();
    expect(kept).not.toHaveProperty('paidOut');
    expect(kept.contradictedSince).toBe(EVENTS_AT);
    expect(await world.owed()).toHaveLength(1);
  });

  test('a payout after it was found that none was made is a contradiction again', async () => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.pay('P-1');
    await world.giveBack('P-1');
    await decide(world, 'not-paid');
    await world.pay('P-2');
    expect(codes()).toEqual([CONTRADICTED, CONTRADICTED]);
    expect(await world.owed()).toEqual([]);
  });

  test('without a contradiction: 409; without an off-ramp: 404', async () => {
    called();
    const world = await payoutEventsWorld();
    expect(await decide(world, 'paid')).toMatchObject({ status: 409, body: { code: 'OPERATION_STATUS_CONFLICT' } });
    const other = { operationId: '00000000-0000-4000-8000-000000000000', outcome: 'paid', sequence: '1' };
    expect((await world.change(resolveContradictionContract, other)).status).toBe(404);
  });

  test('on a contradiction to which another has been added: 409 with the current ones, and nothing is decided', async () => {
    called();
    const world = await payoutEventsWorld();
    await world.cancel();
    await world.pay('P-1');
    const [row] = await world.contradicted();
    await world.pay('P-2');
    const { sequence } = await world.kept();
    const seen = { operationId: OPERATION, outcome: 'not-paid', sequence: String(row?.['sequence']) };
    const answer = await world.change(resolveContradictionContract, seen);
    expect(answer).toMatchObject({ status: 409, body: { code: 'OPERATION_STATUS_CONFLICT' } });
    expect(JSON.stringify(answer.body)).toContain(
      `its sequence is ${sequence}, it is CANCELLED, and these reports are open: COMPLETED P-1, COMPLETED P-2.`,
    );
    expect(await world.kept()).not.toHaveProperty('paidOut');
    expect((await nextSteps(world))[0]).toContain(`resolve-contradiction ${OPERATION} paid ${sequence}`);
    expect(await decide(world, 'not-paid')).toMatchObject({ status: 200, body: { sequence: sequence + 1 } });
    const again = await world.change(resolveContradictionContract, { ...seen, sequence: String(sequence) });
    expect(JSON.stringify(again.body)).toContain('it is CANCELLED, and was found not-paid.');
  });
});

test('decisions 4: a decision does not cover an end that comes meanwhile: 409, and the end stands', async () => {
  called();
  const world = await payoutEventsWorld();
  await world.giveBack('P-1', { eventId: 'returned' }, { ago: 1800_000 });
  const kept = await world.kept();
  expect(kept).toMatchObject({ status: 'PENDING', contradictions: [{ status: 'PAYOUT_RETURNED' }] });
  world.beforeNextWrite('operations', () => {
    const paid = { status: 'COMPLETED', endedBy: 'paid', payout: { reference: 'P-1' }, sequence: kept.sequence + 1 };
    world.table('operations').put({ ...kept, record: 'OPERATION', ...paid });
  });
  const decided = await decide(world, 'not-paid');
  expect(decided).toMatchObject({ status: 409, body: { code: 'OPERATION_STATUS_CONFLICT' } });
  expect(await world.kept()).toHaveProperty('contradictedSince');
  expect(await world.kept()).not.toHaveProperty('paidOut');
});

test.each(['FAILED', 'CANCELLED'])(
  'decisions 4: %s after a person found out that it was paid out is owed and stands, until a person decides again',
  async (status) => {
    const codes = called();
    const world = await payoutEventsWorld();
    await world.giveBack('P-1', {}, { ago: 1800_000 });
    await decide(world, 'paid');
    await world.tell({ status, eventId: 'late' }, { ago: 1000 });
    const kept = await world.kept();
    expect(kept).toMatchObject({ status, contradictedSince: '2026-08-01T12:01:59.000Z' });
    expect(kept.contradictions).toMatchObject([{ closedAt: EVENTS_AT }, { status, eventId: 'late' }]);
    expect(kept).not.toHaveProperty('paidOut');
    expect(codes()).toEqual([CONTRADICTED, 'DEPOSIT_OWED', CONTRADICTED]);
    expect([(await world.contradicted()).length, (await world.owed()).length]).toEqual([1, 1]);
    expect((await nextSteps(world))[0]).toContain('returns nothing before');
    await world.tell({ status, eventId: 'late' }, { isRepeat: true });
    expect([codes().slice(3).sort(), await world.kept()]).toEqual([['DEPOSIT_OWED', CONTRADICTED], kept]);
    await decide(world, 'paid');
    expect([await world.contradicted(), await world.owed()]).toEqual([[], []]);
  },
);

describe('decisions 11: a deposit that was taken back is owed to nobody', () => {
  test('and comes back to the list by itself', async () => {
    called();
    const world = await payoutEventsWorld();
    await world.cancel();
    const deposits = world.table('deposits');
    const kept = deposits.find({ custodianTransferId: 'transfer-1' });
    deposits.put({ ...kept, unmatched: 'REVERSED', unmatchedSince: EVENTS_AT });
    expect(await world.owed()).toEqual([]);
    expect((await nextSteps(world))[0]).toContain('Nothing was paid out, and nothing is owed meanwhile');
    deposits.put({ ...kept });
    expect(await world.owed()).toHaveLength(1);
  });

  test.each([
    ['PENDING', undefined, 'stops the payout'],
    ['COMPLETED', 'P-1', 'it was paid out: recovers the payout'],
  ])('of one that is %s, the next step knows of the payout', async (_, reference, what) => {
    called();
    const world = await payoutEventsWorld();
    if (reference !== undefined) await world.pay(reference);
    const deposits = world.table('deposits');
    deposits.put({
      ...deposits.find({ custodianTransferId: 'transfer-1' }),
      unmatched: 'REVERSED',
      unmatchedSince: EVENTS_AT,
    });
    for (const step of await nextSteps(world)) expect(step).toContain(what);
  });
});

test('a contradiction changes nothing that clients are told, and a writer that read the off-ramp before decides again', async () => {
  called();
  const world = await payoutEventsWorld();
  await world.cancel();
  const [before, events] = [await world.kept(), world.table('events').items().length];
  await world.pay('P-1');
  const after = await world.kept();
  expect([after.sequence, after.status]).toEqual([before.sequence + 1, before.status]);
  expect(statusHistoryOf(after)).toEqual(statusHistoryOf(before));
  expect(world.table('events').items()).toHaveLength(events);
});
