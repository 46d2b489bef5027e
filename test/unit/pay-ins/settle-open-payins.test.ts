import { describe, expect, test } from 'vitest';
import { POLLS_AT_ONCE, settleOpenPayins } from '#functions/pay-ins/settle-open-payins/settle-open-payins.ts';
import type { Payin } from '#shared/pay-ins/pay-in.ts';
import { markingUnreadable } from '#shared/pay-ins/pay-in-lists.ts';
import {
  type FindPayment,
  type Payment,
  PaymentUnreadable,
  RailUnavailable,
} from '#shared/pay-ins/rails/payment-rail.ts';
import { createFindPayment } from '#shared/pay-ins/rails/rail-boundary.ts';
import { createSettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, USER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { PAYIN, payinOf, payinsInMemory } from '#test/support/pay-ins-in-memory.ts';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Milliseconds since 1970 at this many seconds after the start. */
const later = (seconds: number) => Date.parse(CREATED_AT) + seconds * 1000;

const paymentOf = (reference: string, status: Payment['status']): Payment => ({
  reference,
  status,
  amount: '150000.5',
  currency: 'COP',
});

/** Pay-ins in a table, and a rail that answers as it is told to. */
function world(...initial: readonly Payin[]) {
  const clock = fakeClock(CREATED_AT);
  const payins = payinsInMemory(...initial);
  const rail: { find: FindPayment } = { find: async () => undefined };
  const asked: string[] = [];
  const unreadable = payins.unreadableAt(clock);
  const findPayment = markingUnreadable((payin) => {
    asked.push(payin.payinId);
    return rail.find(payin);
  }, unreadable);
  const settlePayin = createSettlePayin(payins, findPayment, clock);
  const listClientIds = async () => [...new Set(initial.map(({ clientId }) => clientId))];
  const sweep = settleOpenPayins({ payins, unreadable, listClientIds, findPayment, settlePayin, clock });
  const stored = (payinId = PAYIN) => payins.kept.get(payinId);
  return { clock, payins, rail, asked, findPayment, settlePayin, sweep, stored, lines: captureLogs() };
}

const many = (count: number, prefix: string) => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

describe('decisions 5: money is never called failed while it is payable', () => {
  test('an empty look-up 16 minutes after a pay-in whose link the client has leaves it open, and its payment completes it', async () => {
    const { clock, rail, sweep, stored, lines } = world(
      payinOf({ orderingSince: CREATED_AT, paymentUrl: 'https://pse.example/p' }),
    );
    clock.advance(16 * MINUTE);
    await sweep();
    expect(stored()?.status).toBe('CASHININIT');
    rail.find = async () => paymentOf(PAYIN, 'COMPLETED');
    clock.advance(DAY);
    await sweep();
    expect([stored()?.status, lines]).toEqual(['COMPLETED', []]);
  });

  test('after 30 days nobody asks any more, and nobody is alarmed', async () => {
    const { clock, sweep, payins, lines } = world(payinOf({ status: 'EXPIRED' }));
    clock.advance(31 * DAY);
    await sweep();
    expect([payins.dueAt.size, lines]).toEqual([0, []]);
  });

  test('one that is open for 30 days calls finance operations each week, until it ends', async () => {
    const { clock, rail, sweep, stored, lines } = world(payinOf());
    rail.find = async () => paymentOf(PAYIN, 'PENDING');
    clock.advance(31 * DAY);
    for (const days of [6, 1, 7]) {
      await sweep();
      clock.advance(days * DAY);
    }
    const called = { level: 'error', code: 'PAYIN_LEFT_OPEN', fields: { payinId: PAYIN } };
    expect(lines).toEqual([called, called]);
    rail.find = async () => paymentOf(PAYIN, 'FAILED');
    await sweep();
    expect([stored()?.status, lines.length]).toEqual(['FAILED', 2]);
  });
});

test('decisions 5: a pay-in that may be paid for two months is neither given up nor an alarm after one month', async () => {
  const expirationDate = new Date(Date.parse(CREATED_AT) + 60 * DAY * 1000).toISOString();
  const { clock, rail, sweep, stored, lines } = world(payinOf({ expirationDate, orderingSince: CREATED_AT }));
  rail.find = async () => paymentOf(PAYIN, 'PENDING');
  clock.advance(31 * DAY);
  await sweep();
  rail.find = async () => paymentOf(PAYIN, 'COMPLETED');
  // Outside this test the rail's list would make the pay-in due before this.
  clock.advance(59 * DAY);
  await sweep();
  expect([stored()?.status, lines]).toEqual(['COMPLETED', []]);
});

test('somebody is called for a pay-in that is left open even if the run ends as its poll is put off', async () => {
  const { clock, rail, asked, findPayment, settlePayin, payins, lines } = world(payinOf());
  rail.find = async () => paymentOf(PAYIN, 'PENDING');
  const putOff: typeof payins.putOff = async (...args) => {
    await payins.putOff(...args);
    throw new Error('the answer was lost');
  };
  const sweep = settleOpenPayins({
    payins: { ...payins, putOff },
    unreadable: payins.unreadableAt(clock),
    listClientIds: async () => [CLIENT],
    findPayment,
    settlePayin,
    clock,
  });
  clock.advance(31 * DAY);
  await sweep();
  await sweep();
  expect([asked.length, payins.dueAt.size]).toEqual([1, 1]);
  expect(lines.map(({ code }) => code)).toContain('PAYIN_LEFT_OPEN');
});

describe('a poll that fails', () => {
  test('says why, and is no conclusion about the pay-in', async () => {
    const { clock, rail, sweep, stored, lines } = world(payinOf());
    rail.find = async () => {
      throw new RailUnavailable('timeout');
    };
    clock.advance(HOUR);
    expect(await sweep()).toBe(1);
    expect(stored()).toEqual(payinOf());
    const fields = { payinId: PAYIN, cause: 'RailUnavailable: timeout' };
    expect(lines).toEqual([{ level: 'warn', code: 'RAIL_UNAVAILABLE', fields }]);
  });

  test('because the settings have its rail no more calls somebody: it never answers', async () => {
    const { clock, rail, sweep, lines } = world(payinOf());
    rail.find = createFindPayment(new Map(), clock);
    clock.advance(HOUR);
    await sweep();
    const fields = { payinId: PAYIN, cause: expect.stringContaining('The stage has no rail') };
    expect(lines).toEqual([{ level: 'error', code: 'PAYIN_NOT_SETTLED', fields }]);
  });

  test('for want of an answer is made again within the hour, where the next one would be a day away', async () => {
    const { clock, rail, sweep, stored } = world(
      payinOf({ orderingSince: CREATED_AT, paymentUrl: 'https://pse.example/p' }),
    );
    clock.advance(2 * DAY);
    rail.find = async () => {
      throw new RailUnavailable('timeout');
    };
    await sweep();
    clock.advance(HOUR - 1);
    expect(await sweep()).toBe(0);
    clock.advance(1);
    rail.find = async () => paymentOf(PAYIN, 'COMPLETED');
    await sweep();
    expect(stored()?.status).toBe('COMPLETED');
  });

  test('for another reason than a rail without an answer is an error, which calls somebody', async () => {
    const { clock, rail, sweep, lines } = world(payinOf());
    rail.find = async () => {
      throw new Error('no such key');
    };
    clock.advance(HOUR);
    await sweep();
    const fields = { payinId: PAYIN, cause: 'Error: no such key' };
    expect(lines).toEqual([{ level: 'error', code: 'PAYIN_NOT_SETTLED', fields }]);
  });
});

describe('what happens while a poll is under way', () => {
  test('a pay-in that the index has and the table does not is passed over', async () => {
    const { clock, payins, asked, findPayment, settlePayin, lines } = world();
    const due = async function* () {
      yield 'gone';
    };
    await settleOpenPayins({
      payins: { ...payins, due },
      unreadable: payins.unreadableAt(clock),
      listClientIds: async () => [CLIENT],
      findPayment,
      settlePayin,
      clock,
    })();
    expect([asked, lines]).toEqual([[], []]);
  });

  test('a pay-in that is completed while the rail is asked raises no alarm, and is asked for once more', async () => {
    const { clock, rail, asked, sweep, settlePayin, stored, payins, lines } = world(payinOf());
    rail.find = async () => {
      if (asked.length === 1) await settlePayin(PAYIN, { asked: stored(), payment: paymentOf(PAYIN, 'COMPLETED') });
      return asked.length === 1 ? undefined : paymentOf(PAYIN, 'COMPLETED');
    };
    clock.advance(HOUR);
    await sweep();
    expect([stored()?.status, asked.length, lines]).toEqual(['COMPLETED', 2, []]);
    expect(payins.dueAt.get(PAYIN)).toBe(new Date(clock.now().getTime() + HOUR * 1000).toISOString());
  });

  test('a pay-in that failed meanwhile is due at the time that the failure sets, not the poll', async () => {
    const { clock, rail, sweep, settlePayin, stored, payins } = world(payinOf());
    rail.find = async () => {
      await settlePayin(PAYIN, { asked: stored(), payment: paymentOf(PAYIN, 'FAILED') });
      return paymentOf(PAYIN, 'FAILED');
    };
    clock.advance(MINUTE);
    await sweep();
    expect(payins.dueAt.get(PAYIN)).toBe(new Date(clock.now().getTime() + HOUR * 1000).toISOString());
  });
});

test('decisions 12, Reconciliation: a poll that the list makes due while the rail answers what it knew before is not put off', async () => {
  const { clock, rail, sweep, stored, payins } = world(payinOf({ status: 'FAILED' }));
  rail.find = async () => {
    await payins.pollNow(PAYIN, clock.now().toISOString());
    return paymentOf(PAYIN, 'FAILED');
  };
  clock.advance(HOUR);
  await sweep();
  rail.find = async () => paymentOf(PAYIN, 'COMPLETED');
  clock.advance(MINUTE);
  await sweep();
  expect(stored()?.status).toBe('COMPLETED');
});

test.each([
  ['two minutes after it, is counted: the rail may not notify any more', 2 * MINUTE, {}, ['PAID_WITHOUT_NOTIFICATION']],
  ['sooner, is not', 2 * MINUTE - 1, {}, []],
  ['when it is known already, is not', HOUR, { status: 'COMPLETED', paidAt: CREATED_AT }, []],
] as const)('a payment that a poll finds %s', async (_, seconds, known, codes) => {
  const { clock, rail, sweep, lines } = world(payinOf({ orderingSince: CREATED_AT, ...known }));
  rail.find = async () => ({ ...paymentOf(PAYIN, 'COMPLETED'), paidAt: CREATED_AT });
  clock.advance(seconds);
  await sweep();
  expect(lines.map(({ code }) => code)).toEqual(codes);
});

describe('decisions 5: money of a completed pay-in that is taken back without a notification', () => {
  test('is found by the poll after an hour', async () => {
    const { clock, rail, sweep, stored, settlePayin } = world(payinOf());
    await settlePayin(PAYIN, { asked: stored(), payment: paymentOf(PAYIN, 'COMPLETED') });
    rail.find = async () => paymentOf(PAYIN, clock.now().getTime() < later(HOUR) ? 'COMPLETED' : 'FAILED');
    clock.advance(HOUR);
    await sweep();
    expect(stored()?.reversedAt).toBeDefined();
  });

  test('is found by the poll after a day, when the rail had another amount before, too: its list says what it said then', async () => {
    const { clock, rail, sweep, stored, settlePayin } = world(payinOf());
    const other = { ...paymentOf(PAYIN, 'COMPLETED'), amount: '7' };
    await settlePayin(PAYIN, { asked: stored(), payment: other });
    await settlePayin(PAYIN, { asked: stored(), payment: paymentOf(PAYIN, 'COMPLETED') });
    expect(stored()).toMatchObject({ status: 'COMPLETED', wholeSince: CREATED_AT });
    rail.find = async () => (clock.now().getTime() < later(2 * HOUR) ? paymentOf(PAYIN, 'COMPLETED') : other);
    for (let hour = 0; hour < 26; hour += 1) {
      clock.advance(HOUR);
      await sweep();
    }
    expect(stored()?.settlementMismatch?.amount).toBe('7');
  });

  test('costs one question where it is not', async () => {
    const { clock, rail, sweep, stored, settlePayin, asked } = world(payinOf());
    rail.find = async () => paymentOf(PAYIN, 'COMPLETED');
    await settlePayin(PAYIN, { asked: stored(), payment: paymentOf(PAYIN, 'COMPLETED') });
    for (let hour = 0; hour < 90 * 24; hour += 1) {
      clock.advance(HOUR);
      await sweep();
    }
    expect(asked).toHaveLength(1);
  });
});

describe('decisions 12, Boundary: a payment that cannot be read', () => {
  const unreadable = async () => {
    throw new PaymentUnreadable('amount: invalid_format');
  };

  test('is an alarm once, concludes nothing, stops no other, and is polled on until it can be', async () => {
    const [first, second] = [PAYIN, USER];
    const { clock, payins, rail, sweep, stored, lines } = world(
      payinOf({ payinId: first, orderingSince: CREATED_AT }),
      payinOf({ payinId: second }),
    );
    rail.find = async ({ payinId }) => (payinId === first ? unreadable() : paymentOf(payinId, 'FAILED'));
    for (let hour = 0; hour < 20; hour += 1) {
      clock.advance(HOUR);
      await sweep();
    }
    expect([stored(first)?.status, stored(second)?.status]).toEqual(['CASHININIT', 'FAILED']);
    const fields = { payinId: first, cause: 'amount: invalid_format' };
    expect(lines).toEqual([{ level: 'error', code: 'PAYMENT_UNREADABLE', fields }]);
    expect(stored(first)?.unreadableSince).toBe('2026-08-01T13:00:00.000Z');
    rail.find = async ({ payinId }) => paymentOf(payinId, 'COMPLETED');
    clock.advance(HOUR);
    await sweep();
    expect([stored(first)?.status, stored(first)?.unreadableSince]).toEqual(['COMPLETED', undefined]);
    expect(payins.dueAt.has(first)).toBe(true);
  });

  test('of one that was not asked for any more is asked for again', async () => {
    const { payins, rail, findPayment } = world(payinOf({ status: 'COMPLETED' }));
    await payins.putOff((await payins.findPolled(PAYIN)) ?? payinOf(), undefined);
    expect(payins.dueAt.size).toBe(0);
    rail.find = unreadable;
    await findPayment(payinOf()).catch(() => {});
    expect(payins.dueAt.get(PAYIN)).toBe('2026-08-01T12:05:00.000Z');
  });

  test('of a reference that is no pay-in makes none', async () => {
    const { payins, rail, findPayment, lines } = world();
    rail.find = unreadable;
    await findPayment(payinOf()).catch(() => {});
    expect([payins.kept.size, lines.map(({ code }) => code)]).toEqual([0, ['PAYMENT_UNREADABLE']]);
  });
});

describe('decisions 12, Boundary: a rail that says for how long it must not be asked', () => {
  test('is asked by nobody until then: neither of that pay-in nor of the others', async () => {
    const payinIds = many(40, 'p');
    const { clock, payins, rail, asked, sweep } = world(...payinIds.map((payinId) => payinOf({ payinId })));
    rail.find = async () => {
      throw new RailUnavailable('429', { retryAfter: 600 });
    };
    clock.advance(MINUTE);
    const until = clock.now().getTime() + 600_000;
    await sweep();
    const first = asked.length;
    expect(first).toBeLessThanOrEqual(5);
    for (const payinId of asked) expect(Date.parse(payins.dueAt.get(payinId) ?? '')).toBeGreaterThanOrEqual(until);
    clock.advance(MINUTE);
    await sweep();
    expect(asked).toHaveLength(first);
    rail.find = async ({ payinId }) => paymentOf(payinId, 'COMPLETED');
    clock.advance(10 * MINUTE);
    await sweep();
    expect(new Set(asked).size).toBe(40);
  });

  test('stops no poll of another rail, and its own are neither counted as polled nor read by each run', async () => {
    const [own, others] = [many(400, 'a-own'), many(40, 'b-other')];
    const of = (rail: string) => (payinId: string) => payinOf({ payinId, rail });
    const { clock, payins, rail, asked, sweep } = world(...own.map(of('limited')), ...others.map(of('another')));
    rail.find = async (payin) => {
      if (payin.rail === 'limited') throw new RailUnavailable('429', { retryAfter: 600 });
      return paymentOf(payin.payinId, 'PENDING');
    };
    clock.advance(MINUTE);
    const pausedUntil = new Date(clock.now().getTime() + 600_000).toISOString();
    const polled = await sweep();
    expect(asked).toEqual(expect.arrayContaining(others));
    expect(asked).toHaveLength(polled);
    expect(polled).toBeLessThan(POLLS_AT_ONCE + others.length);
    expect(new Set(own.map((payinId) => payins.dueAt.get(payinId)))).toEqual(new Set([pausedUntil]));
    clock.advance(2 * MINUTE);
    await sweep();
    expect(asked).toHaveLength(polled + others.length);
  });
});

describe('decisions 5: no pay-in waits for the polls of others', () => {
  test('clients take turns: of one with a thousand due pay-ins and of one with few as many are asked for at the same time', async () => {
    const { clock, payins, settlePayin } = world();
    const asked: string[] = [];
    const due = async function* (client: string) {
      yield* many(client === 'a' ? 1000 : 20, `${client}-`);
    };
    const findPolled = async (payinId: string) => payinOf({ payinId });
    const findPayment: FindPayment = ({ payinId }) => {
      asked.push(payinId);
      return new Promise(() => {});
    };
    void settleOpenPayins({
      payins: { ...payins, due, findPolled },
      unreadable: payins.unreadableAt(clock),
      listClientIds: async () => ['a', 'b'],
      findPayment,
      settlePayin,
      clock,
    })();
    await new Promise(setImmediate);
    expect(asked.toSorted()).toEqual([...many(POLLS_AT_ONCE - 20, 'a-'), ...many(20, 'b-')].toSorted());
  });

  test("a run that has no time for one client's thousands has asked for all of another's", async () => {
    const [much, little] = [many(3000, 'much'), many(5, 'little')];
    const made = (payinId: string, clientId: string) => payinOf({ payinId, clientId, orderingSince: CREATED_AT });
    const { clock, rail, asked, sweep } = world(
      ...much.map((payinId) => made(payinId, CLIENT)),
      ...little.map((payinId) => made(payinId, USER)),
    );
    clock.advance(HOUR);
    rail.find = async ({ payinId }) => {
      clock.advance(0.1);
      return paymentOf(payinId, 'PENDING');
    };
    expect(await sweep()).toBeLessThan(1000);
    expect(asked).toEqual(expect.arrayContaining(little));
  });

  test('pay-ins for which a run has no time come first in the next one', async () => {
    const payinIds = many(40, 'p');
    const { clock, rail, asked, sweep } = world(
      ...payinIds.map((payinId, index) =>
        payinOf({ payinId, createdAt: new Date(Date.parse(CREATED_AT) + index).toISOString() }),
      ),
    );
    clock.advance(HOUR);
    rail.find = async ({ payinId }) => {
      clock.advance(3);
      return paymentOf(payinId, 'PENDING');
    };
    const polled = await sweep();
    expect(polled).toBeLessThan(40);
    expect(polled).toBeGreaterThan(10);
    expect(asked).toEqual(payinIds.slice(0, polled));
    asked.length = 0;
    await sweep();
    expect(asked[0]).toBe(payinIds[polled]);
  });
});
