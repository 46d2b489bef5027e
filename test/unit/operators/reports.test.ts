import { describe, expect, test } from 'vitest';
import { directoryEntry } from '#shared/clients/client-directory.ts';
import { reportOfframpsContract } from '#shared/off-ramps/contract/operator-lookups.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { insertOperation } from '#shared/off-ramps/transitions/insert-operation.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { createPayinRepository } from '#shared/pay-ins/pay-in-repository.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { newClient } from '#test/support/new-client.ts';
import { offRamp, RULES, transfer } from '#test/support/off-ramp.ts';
import { opsWorld } from '#test/support/ops-world.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';

const tables = {
  operations: 'operations',
  hashes: 'hashes',
  events: 'events',
  deposits: 'deposits',
  payins: 'payins',
};
const idOf = (number: number) => `${String(number).padStart(8, '0')}-0000-4000-8000-000000000000`;

/** The reports that finance reads on 1 August, of off-ramps that are credited and pay-ins that are completed here. */
function books() {
  const world = opsWorld();
  for (const clientId of [CLIENT, STRANGER]) {
    world.table('clients').put({ clientId, ...directoryEntry(newClient()) });
  }
  let made = 0;
  const newId = () => {
    made += 1;
    return idOf(made);
  };
  const credit = async (at: string, differences: Partial<OffRamp> = {}) => {
    const operation = offRamp({ operationId: newId(), address: newId(), ...differences });
    const { operationId, amount } = operation;
    await insertOperation(world.dynamo, tables, operation);
    const facts = transfer({ txHash: `0x${newId()}`, custodianTransferId: newId(), amount });
    await createCreditDeposit(world.dynamo, tables, fakeClock(at), RULES)(operationId, facts);
    return { operationId, txHash: facts.txHash, custodianTransferId: facts.custodianTransferId };
  };
  const complete = async (at: string, differences: Partial<Payin> = {}, later?: Omit<Payment, 'reference'>) => {
    const payins = createPayinRepository(world.dynamo, tables, fakeClock(at));
    const payin = payinOf({ payinId: newId(), ...differences });
    await payins.create(payin);
    const asked = await payins.changeStatus(payin, 'COMPLETED', at);
    const payment = later && { reference: payin.payinId, ...later };
    const settle = createSettlePayin(payins, async () => payment, fakeClock(at));
    await settle(payin.payinId, { asked, payment });
  };
  const report = async (...typed: readonly string[]) => {
    const { status, printed, said } = await world.ops(typed);
    expect(status).toBe(0);
    return { printed, said };
  };
  const totals = async (...typed: readonly string[]) => JSON.parse((await report(...typed, '--json')).printed);
  return { ...world, credit, complete, report, totals, newId };
}

const total = {
  ...{ day: '2026-07-31', clientId: CLIENT, token: 'USDC', status: 'PENDING', isPaidOut: 'false' },
  depositStatus: 'CREDITED',
};
const start = '2026-07-31T00:00:00.000Z';
const end = '2026-07-31T23:59:59.999Z';

describe('decisions 11, reports: of off-ramps', () => {
  test('are the sums of yesterday, exact, per client, token and status', async () => {
    const { credit, totals } = books();
    await credit(start, { amount: '0.1' });
    await credit(end, { amount: '0.2' });
    await credit(end, { amount: '123456789012345678901.000001', clientId: STRANGER });
    await credit(end, { amount: '7', token: 'USDT' });
    expect(await totals('report-offramps')).toEqual({
      from: '2026-07-31',
      to: '2026-07-31',
      zone: 'UTC',
      lines: 4,
      totals: [
        { ...total, count: 2, amount: '0.3' },
        { ...total, token: 'USDT', count: 1, amount: '7' },
        { ...total, clientId: STRANGER, count: 1, amount: '123456789012345678901.000001' },
      ],
    });
  });

  test('have the days of a time zone, to the millisecond, and say which it is', async () => {
    const { credit, totals, report } = books();
    const first = ['2026-07-31T05:00:00.000Z', '2026-08-01T04:59:59.999Z'];
    for (const at of ['2026-07-31T04:59:59.999Z', ...first, '2026-08-01T05:00:00.000Z']) await credit(at);
    const asked = ['report-offramps', '--from', '2026-07-31', '--zone', 'America/Bogota'];
    expect(await totals(...asked)).toMatchObject({ zone: 'America/Bogota', totals: [{ day: '2026-07-31', count: 2 }] });
    const lines = (await report(...asked, '--csv')).printed.trimEnd().split('\r\n').slice(1);
    expect(lines.map((line) => [line.split(',')[0], line.split(',').at(-1)])).toEqual(
      first.map((at) => [at, '2026-07-31']),
    );
  });

  test.each([
    ['--zone', 'Bogota', 'zone must be an IANA time zone'],
    ['--zone', '-05:00', 'zone must be an IANA time zone'],
    ['--zone', '', 'zone must be an IANA time zone'],
    ['--from', '0001-01-01', 'from must be a day from 1970 to 2999'],
  ])('refuse an invalid option: %s "%s"', async (option, value, what) => {
    const { status, said, calls } = await books().ops(['report-offramps', `${option}=${value}`]);
    expect([status, said, calls]).toEqual([2, expect.stringContaining(what), 0]);
  });

  test('of a day on which nothing was credited have no lines, and say so', async () => {
    const { report } = books();
    expect((await report('report-offramps')).printed).toMatch(
      /^from {4}2026-07-31\nto {6}2026-07-31\nzone {4}UTC\nlines {3}0\ntotals {2}none\n$/,
    );
    expect((await report('report-offramps', '--csv')).printed).toMatch(/^creditedAt,operationId,[\w,]+\r\n$/);
  });

  test('have no off-ramp that was not credited', async () => {
    const { dynamo, totals } = books();
    await insertOperation(dynamo, tables, offRamp({ createdAt: start }));
    expect((await totals('report-offramps')).totals).toEqual([]);
  });

  test('have a line for each credited deposit, for spreadsheets, in which no text of a client is a formula', async () => {
    const { credit, report } = books();
    const derivation = { fingerprint: '1a2b3c4d', path: '1541610567/1350673699' };
    const texts = ['=HYPERLINK("x")', '+1', '-1', '@x', ' =1', 'a;=1;b; +2', 'order "17", again', 'plain'];
    for (const externalReference of texts) await credit(start, { externalReference, derivation });
    const { printed, said } = await report('report-offramps', '--csv');
    const [head, ...lines] = printed.trimEnd().split('\r\n');
    expect([head, said]).toEqual([
      'creditedAt,operationId,clientId,userId,network,token,amount,status,endedAt,isPaidOut,txHash,custodianTransferId,address,keyFingerprint,keyPath,senderAddress,createdAt,externalReference,depositStatus,payoutAmount,payoutCurrency,payoutReference,paidAt,day',
      '',
    ]);
    expect(lines[0]).toContain(',1a2b3c4d,1541610567/1350673699,');
    expect(lines.map((line) => line.split(',').slice(17, -6).join(','))).toEqual([
      `"'=HYPERLINK(""x"")"`,
      "'+1",
      "'-1",
      "'@x",
      "' =1",
      "a;'=1;b;' +2",
      '"order ""17"", again"',
      'plain',
    ]);
  });

  test('have the amount that was paid, and mark a deposit that was taken back', async () => {
    const { credit, report, totals, table } = books();
    const { operationId, custodianTransferId } = await credit(end);
    await credit(end);
    const key = { operationId, record: 'OPERATION' };
    const payout = { amount: '402000', currency: 'COP', reference: 'P-1', paidAt: end };
    table('operations').put({ ...table('operations').find(key), status: 'COMPLETED', payout });
    const deposits = table('deposits');
    deposits.put({ ...deposits.find({ custodianTransferId }), unmatched: 'REVERSED', unmatchedSince: end });
    const [, ...lines] = (await report('report-offramps', '--csv')).printed.trimEnd().split('\r\n');
    expect(lines.map((line) => line.split(',').slice(-6, -1).join()).toSorted()).toEqual([
      'CREDITED,,,,',
      `REVERSED,402000,COP,P-1,${end}`,
    ]);
    expect((await totals('report-offramps')).totals).toEqual([
      { ...total, status: 'COMPLETED', isPaidOut: 'true', depositStatus: 'REVERSED', count: 1, amount: '100.5' },
      { ...total, count: 1, amount: '100.5' },
    ]);
  });

  test('distinguish payouts from those that came back, or were found to be unpaid, or paid', async () => {
    const { credit, totals, table } = books();
    const returned = { status: 'PAYOUT_RETURNED', source: 'payments.payouts', eventId: '1', at: end };
    const ends = [
      { status: 'COMPLETED', amount: '1' },
      { status: 'COMPLETED', amount: '2', contradictions: [returned], contradictedSince: end },
      { status: 'COMPLETED', amount: '4', paidOut: false },
      { status: 'FAILED', amount: '8', paidOut: true },
      { status: 'FAILED', amount: '16' },
    ];
    for (const { amount, ...differences } of ends) {
      const { operationId } = await credit(end, { amount });
      const key = { operationId, record: 'OPERATION' };
      table('operations').put({ ...table('operations').find(key), ...differences });
    }
    const paid = (await totals('report-offramps')).totals.map((one: Record<string, unknown>) =>
      [one['status'], one['isPaidOut'], one['amount']].join(' '),
    );
    expect(paid).toEqual(['COMPLETED false 6', 'COMPLETED true 1', 'FAILED false 16', 'FAILED true 8']);
  });

  test('refuse days that do not exist, and an end before the begin', async () => {
    const { ops } = books();
    for (const days of [['2026-07-32'], ['2026-7-1'], ['2026-07-31', '--to', '2026-07-30']]) {
      const { status, said } = await ops(['report-offramps', '--from', ...days]);
      expect([status, said]).not.toEqual([0, '']);
      expect([1, 2]).toContain(status);
    }
  });
});

describe('decisions 11, reports: pages', () => {
  /** Credited off-ramps, some at the same time. */
  function many(count: number) {
    const made = books();
    for (let number = 0; number < count; number += 1) {
      const creditedAt = new Date(Date.parse(start) + Math.floor(number / 3)).toISOString();
      const verifiedTxHash = `0x${number}`;
      made.table('hashes').put({ claim: `FUNDED#${verifiedTxHash}`, custodianTransferId: 'transfer' });
      made.table('operations').put({
        ...offRamp({ operationId: idOf(number), amount: '1.1', status: 'PENDING' }),
        ...{ verifiedTxHash, record: 'OPERATION' },
        creditedAt,
      });
    }
    return made;
  }

  test('are all read, and have every line once', async () => {
    const { ops } = many(1201);
    const { printed, calls, said } = await ops(['report-offramps', '--csv']);
    const ids = printed
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.split(',')[1]);
    expect([ids.length, new Set(ids).size, calls]).toEqual([1201, 1201, 3]);
    expect(said).toBe('');
    const [times] = [
      printed
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[0]),
    ];
    expect(times).toEqual(times.toSorted());
  });

  test('are of the same client, days and time zone, however many are left out', async () => {
    const { ops } = many(1201);
    const asked = ['report-offramps', '--zone', 'Asia/Tokyo', '--from', '2026-07-31', '--client'];
    const own = await ops([...asked, offRamp().clientId, '--csv']);
    expect([own.printed.split('\r\n').length, own.calls]).toEqual([1 + 1201 + 1, 3]);
    const other = await ops([...asked, STRANGER, '--csv']);
    expect([other.printed.split('\r\n').length, other.calls]).toEqual([1 + 1, 3]);
  });

  test('are asked for again when the service fails for a moment, and no line is printed twice', async () => {
    const { ops, fetch } = many(501);
    let calls = 0;
    const failing: typeof globalThis.fetch = async (...call) => {
      calls += 1;
      return calls === 2 || calls === 3 ? new Response('', { status: 502 }) : await fetch(...call);
    };
    const { status, printed } = await ops(['report-offramps', '--csv'], { fetch: failing });
    expect([status, calls, printed.split('\r\n').length]).toEqual([0, 4, 1 + 501 + 1]);
  });

  test('that cannot be read end the report, and its status says so', async () => {
    const { ops, fetch } = many(501);
    let calls = 0;
    const failing: typeof globalThis.fetch = async (...call) => {
      calls += 1;
      return calls > 1 ? new Response('', { status: 502 }) : await fetch(...call);
    };
    const { status, said } = await ops(['report-offramps', '--csv'], { fetch: failing });
    expect([status, calls, said]).toEqual([4, 4, expect.stringContaining('502')]);
  });

  test('have at most 500 lines each, and say from when the next one is', async () => {
    const { look } = many(502);
    const { body } = await look(reportOfframpsContract, {});
    expect([body.items.length, body.nextCursor]).toEqual([498, '2026-07-31T00:00:00.166Z']);
    const rest = await look(reportOfframpsContract, { cursor: body.nextCursor });
    expect([rest.body.items.length, rest.body.nextCursor]).toEqual([4, undefined]);
  });
});

describe('decisions 11, reports: of pay-ins', () => {
  test('are the sums per client and rail of those that were completed on a day', async () => {
    const { complete, totals, report } = books();
    await complete(start, { amount: '1500.5' });
    await complete(end, { amount: '2000.25' });
    await complete(end, { paymentMethod: 'NEQUI', status: 'PENDING', amount: '3000' });
    await complete('2026-08-01T00:00:00.000Z');
    const of = { day: '2026-07-31', clientId: CLIENT, currency: 'COP', status: 'COMPLETED', settlement: 'IN_FULL' };
    expect((await totals('report-payins')).totals).toEqual([
      { ...of, paymentMethod: 'NEQUI', count: 1, amount: '3000', amountAtRail: '3000' },
      { ...of, paymentMethod: 'PSE', count: 2, amount: '3500.75', amountAtRail: '3500.75' },
    ]);
    const { printed } = await report('report-payins', '--csv');
    expect(printed.split('\r\n')).toHaveLength(1 + 3 + 1);
    expect(printed).toMatch(
      /^completedAt,payinId,clientId,userId,paymentMethod,currency,amount,status,createdAt,externalReference,settlement,amountAtRail,reversedAt,day\r\n/,
    );
  });

  test.each([
    ['FAILED', '150000.5', 'COP', 'TAKEN_BACK', '0'],
    ['COMPLETED', '50000', 'COP', 'TAKEN_BACK_IN_PART', '50000'],
    ['COMPLETED', '200000', 'COP', 'TOO_MUCH', '200000'],
    ['COMPLETED', '150000.5', 'USD', 'TAKEN_BACK', '0'],
  ] as const)('say what is at the rail now: %s %s %s is %s', async (status, amount, currency, settlement, there) => {
    const { complete, report, totals } = books();
    await complete(start, {}, { status, amount, currency });
    expect((await totals('report-payins')).totals).toMatchObject([
      { settlement, count: 1, amount: '150000.5', amountAtRail: there },
    ]);
    const { printed } = await report('report-payins', '--csv');
    expect(printed.split('\r\n')[1]?.split(',').slice(10, 12)).toEqual([settlement, there]);
  });
});
