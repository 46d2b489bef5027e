import { describe, expect, test } from 'vitest';
import { captureLogs } from '#test/support/capture-logs.ts';
import { OPERATION } from '#test/support/ids.ts';
import { textOf } from '#test/support/markdown.ts';
import { type Deposit, type Own, type Payout, payAgain, payOut, payoutReturned } from '#test/support/pay-out.ts';
import { payoutEventsWorld } from '#test/support/payout-events-world.ts';

/** The example of docs/payouts.md, with a table and a bank in memory, and the service that it serves. */
async function world() {
  captureLogs();
  const service = await payoutEventsWorld();
  const deposits = new Map<string, Deposit>();
  const payouts = new Map<string, Payout>();
  const bank = new Map<string, { amount: string; currency: string; paidAt: string }>();
  const calls: string[] = [];
  let dies = false;
  const own: Own = {
    saveDeposit: async (deposit) => {
      const { depositId, sequence } = deposit;
      if (sequence > (deposits.get(depositId)?.sequence ?? 0)) deposits.set(depositId, deposit);
    },
    depositsOf: async (id) => [...deposits.values()].filter(({ operationId }) => operationId === id),
    saveOnce: async (payout) => {
      if (!payouts.has(payout.operationId)) payouts.set(payout.operationId, payout);
    },
    payoutOf: async (id) => payouts.get(id),
    change: async (seen, to) => {
      if (dies) throw new Error('It dies.');
      const kept = payouts.get(seen.operationId);
      if (kept?.state !== seen.state || kept.reference !== seen.reference) throw new Error('It was changed.');
      payouts.set(to.operationId, to);
    },
    bankPays: async (key) => {
      calls.push(key);
      const paid = bank.get(key) ?? { amount: '402000.50', currency: 'COP', paidAt: '2026-08-01T07:01:00-05:00' };
      bank.set(key, paid);
      return paid;
    },
    say: async (type, detail) => service.tell({ ...detail }, { type }),
  };
  const consume = payOut(own);
  const operation = (status: string) =>
    consume({
      'detail-type': 'ramp.operation.status_changed',
      detail: { operationId: OPERATION, status, sequence: 2 },
    });
  const pending = () => operation('PENDING');
  const deposit = (status: string, sequence: number, depositId = 'right') => {
    const detail = { depositId, operationId: OPERATION, status, sequence };
    return consume({ 'detail-type': 'ramp.deposit.status_changed', detail });
  };
  return {
    ...service,
    own,
    operation,
    pending,
    deposit,
    calls,
    paid: () => bank.size,
    payout: () => {
      const found = payouts.get(OPERATION);
      if (found === undefined) throw new Error('There is none.');
      return found;
    },
    dieNext: (next: boolean) => {
      dies = next;
    },
  };
}

const statusOf = async ({ kept }: Awaited<ReturnType<typeof world>>) => (await kept()).status;

test('the example of the page is the one that is tested here', () => {
  expect(textOf('docs/payouts.md')).toContain(`\`\`\`ts\n${textOf('test/support/pay-out.ts')}\`\`\`\n`);
});

describe('decisions 13: whoever pays out', () => {
  test.each([
    ['the operation first', ['pending', 'deposit']],
    ['the deposit first', ['deposit', 'pending']],
  ])('pays a credited off-ramp, and reports the reference: %s', async (_, order) => {
    const one = await world();
    for (const event of order) await (event === 'pending' ? one.pending() : one.deposit('CREDITED', 1));
    expect([one.paid(), await one.kept()]).toMatchObject([
      1,
      {
        status: 'COMPLETED',
        payout: {
          amount: '402000.5',
          currency: 'COP',
          reference: `${OPERATION}-1`,
          paidAt: '2026-08-01T12:01:00.000Z',
        },
      },
    ]);
  });

  test('pays what is credited beside a wrong deposit, of which more was said', async () => {
    const one = await world();
    await one.deposit('DETECTED', 1, 'wrong');
    await one.deposit('UNMATCHED', 2, 'wrong');
    await one.pending();
    await one.deposit('CREDITED', 1);
    expect([one.paid(), await statusOf(one)]).toEqual([1, 'COMPLETED']);
  });

  test('pays once per operation, however often it hears of it', async () => {
    const one = await world();
    await one.deposit('CREDITED', 1);
    await Promise.all([one.pending(), one.pending()]).catch(() => undefined);
    for (let times = 0; times < 3; times += 1) await one.pending();
    expect([one.paid(), await statusOf(one), await one.contradicted()]).toEqual([1, 'COMPLETED', []]);
  });

  test('pays nothing while the deposit is reversed, and pays when it is credited again', async () => {
    const one = await world();
    await one.deposit('REVERSED', 2);
    await one.deposit('CREDITED', 1);
    await one.pending();
    expect([one.paid(), await statusOf(one)]).toEqual([0, 'PENDING']);
    await one.deposit('CREDITED', 3);
    expect([one.paid(), await statusOf(one)]).toEqual([1, 'COMPLETED']);
  });

  test.each([
    ['cancelled', ['PENDING', 'CANCELLED']],
    ['cancelled, as it hears before it hears of the deposit', ['CANCELLED', 'PENDING']],
  ])('pays no off-ramp that was %s', async (_, statuses) => {
    const one = await world();
    for (const status of statuses) await one.operation(status);
    await one.deposit('CREDITED', 1);
    expect(one.paid()).toBe(0);
  });

  test('that dies after it has paid asks the bank for the same payout, and says the same again', async () => {
    const one = await world();
    await one.deposit('CREDITED', 1);
    one.dieNext(true);
    await expect(one.pending()).rejects.toThrow('It dies.');
    one.dieNext(false);
    await one.pending();
    expect([one.calls.length, one.paid(), await statusOf(one), await one.contradicted()]).toEqual([
      2,
      1,
      'COMPLETED',
      [],
    ]);
  });

  test('says that a payout came back, and pays again under another reference', async () => {
    const one = await world();
    await one.deposit('CREDITED', 1);
    await one.pending();
    await payoutReturned(one.own, one.payout(), 'R03');
    expect([(await one.contradicted()).length, (await one.owed()).length]).toEqual([1, 1]);
    await payAgain(one.own, one.payout(), `${OPERATION}-2`);
    expect([one.paid(), await one.contradicted(), await one.owed()]).toEqual([2, [], []]);
    expect((await one.kept()).payout).toMatchObject({ reference: `${OPERATION}-2` });
  });
});
