import { describe, expect, test } from 'vitest';
import { hasExpired, mayPayinBecome, type Payin, payinStatuses } from '#shared/pay-ins/pay-in.ts';
import { payinOutcome } from '#shared/pay-ins/pay-in-outcome.ts';
import { nextPollAfterFailure, nextPollAt } from '#shared/pay-ins/pay-in-poll-schedule.ts';
import type { Payment } from '#shared/pay-ins/rails/payment-rail.ts';
import { payinOf } from '#test/support/pay-ins-in-memory.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CREATED = Date.parse(payinOf().createdAt);
const later = (milliseconds: number) => new Date(CREATED + milliseconds);
const instant = (milliseconds: number) => later(milliseconds).toISOString();

describe('decisions 5, later statuses', () => {
  test('an open pay-in can end in any way, one that ended without money can still be completed, and none leaves COMPLETED', () => {
    const moves = payinStatuses.flatMap((from) =>
      payinStatuses.filter((to) => mayPayinBecome(from, to)).map((to) => `${from} ${to}`),
    );
    expect(moves).toEqual([
      'CASHININIT COMPLETED',
      'CASHININIT FAILED',
      'CASHININIT EXPIRED',
      'PENDING COMPLETED',
      'PENDING FAILED',
      'PENDING EXPIRED',
      'FAILED COMPLETED',
      'EXPIRED COMPLETED',
    ]);
  });

  test('it has expired after its date, not at it, and never without one', () => {
    const payin = payinOf({ expirationDate: '2026-08-01T08:00:00-05:00' });
    expect([HOUR, HOUR + 1].map((age) => hasExpired(payin, later(age)))).toEqual([false, true]);
    expect(hasExpired(payinOf(), later(365 * DAY))).toBe(false);
  });
});

describe('decisions 5: the status of a pay-in whose payment the rail does not know', () => {
  const concluded = (age: number, differences = {}) => payinOutcome(payinOf(differences), undefined, later(age));

  test('FAILED only after 15 minutes, and only when the rail was never asked to collect', () => {
    expect([15 * MINUTE, 15 * MINUTE + 1].map((age) => concluded(age))).toEqual(['PENDING', 'FAILED']);
    expect(concluded(16 * MINUTE, { orderingSince: instant(0) })).toBe('PENDING');
    expect(concluded(16 * MINUTE, { orderingSince: instant(15 * MINUTE) })).toBe('PENDING');
  });

  test('EXPIRED when it was sent 24 hours ago, counted from when it was sent last', () => {
    const sent = { orderingSince: instant(HOUR) };
    expect([25 * HOUR, 25 * HOUR + 1].map((age) => concluded(age, sent))).toEqual(['PENDING', 'EXPIRED']);
  });

  test('EXPIRED when it was sent and its date has passed', () => {
    const sent = { orderingSince: instant(0), expirationDate: instant(HOUR) };
    expect([HOUR, HOUR + 1].map((age) => concluded(age, sent))).toEqual(['PENDING', 'EXPIRED']);
  });

  test.each(['COMPLETED', 'FAILED', 'EXPIRED'] as const)('unchanged for one that is %s', (status) => {
    expect(concluded(40 * DAY, { status, orderingSince: instant(0) })).toBe('PENDING');
  });
});

describe('decisions 5: amount and currency of what was paid are compared as exact decimals', () => {
  const paid = (amount: string, currency = 'COP', status: Payment['status'] = 'COMPLETED') =>
    payinOutcome(payinOf(), { reference: 'p', status, amount, currency }, later(MINUTE));

  test.each(['150000.5', '150000.50', '0150000.500', `150000.5${'0'.repeat(30)}`])(
    '%s is what was ordered',
    (amount) => {
      expect(paid(amount)).toBe('COMPLETED');
    },
  );

  test.each(['150000.4', '150000.50000000001', '150001', '15000.05', '0'])('%j is not what was ordered', (amount) => {
    expect(paid(amount)).toBe('OTHER_AMOUNT');
  });

  test('another currency is not what was ordered', () => {
    expect(paid('150000.5', 'USD')).toBe('OTHER_AMOUNT');
  });

  test.each(['PENDING', 'FAILED', 'EXPIRED'] as const)('of a payment that is %s nothing is compared', (status) => {
    expect(paid('1', 'USD', status)).toBe(status);
  });
});

describe('decisions 5: when the rail is asked again', () => {
  const pause = (age: number, differences = {}) => {
    const next = nextPollAt(payinOf(differences), later(age));
    return next === undefined ? undefined : Date.parse(next) - CREATED - age;
  };

  test('for an open pay-in: after two minutes, when it is twice as old, and after the first day once, 30 days after it', () => {
    const ages = [0, 2 * MINUTE, 10 * MINUTE, HOUR, 3 * HOUR, DAY + HOUR - 1, DAY + HOUR, 30 * DAY - 1];
    expect(ages.map((age) => pause(age))).toEqual([
      2 * MINUTE,
      2 * MINUTE,
      10 * MINUTE,
      HOUR,
      3 * HOUR,
      2 * MINUTE,
      29 * DAY - HOUR,
      1,
    ]);
    expect(pause(30 * DAY)).toBeUndefined();
  });

  test('for an open one that was sent once more on its first day: also a day after that, when the rail may still not know it', () => {
    const sent = (at: number) => ({ orderingSince: instant(at) });
    expect(pause(DAY + HOUR, sent(1))).toBe(29 * DAY - HOUR);
    const again = sent(20 * HOUR);
    expect([DAY + HOUR, 2 * DAY - 4 * HOUR].map((age) => pause(age, again))).toEqual([20 * HOUR, HOUR]);
    const last = 2 * DAY - 3 * HOUR;
    expect(pause(last, again)).toBe(30 * DAY - last);
    expect(payinOutcome(payinOf(again), undefined, later(last))).toBe('EXPIRED');
  });

  test('for one that its client wants paid until a later day: once more, 30 days after that day', () => {
    const until = (age: number) => ({ expirationDate: instant(age) });
    expect(pause(31 * DAY, until(60 * DAY))).toBe(59 * DAY);
    expect(pause(90 * DAY - 1, until(60 * DAY))).toBe(1);
    expect(pause(90 * DAY, until(60 * DAY))).toBeUndefined();
    expect(pause(29 * DAY, until(HOUR))).toBe(DAY + HOUR);
    expect(pause(30 * DAY, until(HOUR))).toBe(HOUR);
  });

  test.each(['FAILED', 'EXPIRED'] as const)(
    'for one that is %s: an hour later, then once, 30 days from then on, as the list says what is new in between',
    (status) => {
      const ended = {
        ...{ status, statusHistory: [...payinOf().statusHistory, { status, at: instant(DAY) }] },
        ...{ orderingSince: instant(DAY - HOUR), expirationDate: instant(60 * DAY) },
      };
      const polls: number[] = [];
      let [age, next] = [DAY, pause(DAY, ended)];
      while (next !== undefined) {
        polls.push(next);
        age += next;
        next = pause(age, ended);
      }
      expect(polls).toEqual([HOUR, 30 * DAY - HOUR]);
    },
  );

  test('for one that is not completed, after another amount has come, changed or gone: also an hour, one and two days after that', () => {
    const statusHistory = [...payinOf().statusHistory, { status: 'EXPIRED', at: instant(DAY) } as const];
    const moneyAt = instant(5 * DAY);
    const ages = [5 * DAY, 5 * DAY + HOUR, 6 * DAY + HOUR, 7 * DAY];
    expect(ages.map((age) => pause(age, { status: 'EXPIRED', statusHistory, moneyAt }))).toEqual([
      HOUR,
      DAY,
      DAY - HOUR,
      24 * DAY,
    ]);
    expect(pause(MINUTE, { moneyAt: instant(0) })).toBe(2 * MINUTE);
  });

  /** Milliseconds between the polls of one that was completed a day after its creation, with these differences. */
  const pollsOf = (differences: Partial<Payin>, from = DAY) => {
    const statusHistory = [...payinOf().statusHistory, { status: 'COMPLETED', at: instant(DAY) } as const];
    const completed = { status: 'COMPLETED', statusHistory, ...differences };
    const polls: number[] = [];
    let [age, next] = [from, pause(from, completed)];
    while (next !== undefined) {
      polls.push(next);
      age += next;
      next = pause(age, completed);
    }
    return polls;
  };

  test('for one that is COMPLETED: an hour after it was, because its money may be taken back', () => {
    expect(pollsOf({})).toEqual([HOUR]);
  });

  test.each(['FAILED', 'EXPIRED'] as const)(
    'for one that was %s before: also after one and two days, because a list that says so again is not compared',
    (status) => {
      const statusHistory = [
        ...payinOf().statusHistory,
        { status, at: instant(HOUR) },
        { status: 'COMPLETED', at: instant(DAY) } as const,
      ];
      expect(pollsOf({ statusHistory })).toEqual([HOUR, DAY, DAY - HOUR]);
    },
  );

  test('for one whose money is there again: a minute, an hour, one and two days after that', () => {
    const wholeSince = instant(40 * DAY);
    expect(pollsOf({ wholeSince }, 40 * DAY)).toEqual([MINUTE, HOUR - MINUTE, DAY, DAY - HOUR]);
  });

  test.each([
    ['was taken back', { reversedAt: instant(40 * DAY) }],
    ['is too much', { settlementMismatch: { amount: '1', currency: 'COP', at: instant(40 * DAY) } }],
  ])(
    'for one whose money %s: after a minute, hourly for a day, after two, then once, 30 days from then on',
    (_, differences) => {
      const polls = pollsOf(differences, 40 * DAY);
      expect(polls).toEqual([MINUTE, ...Array.from({ length: 25 }, () => HOUR), 23 * HOUR - MINUTE, 28 * DAY]);
    },
  );

  test('a poll that failed is made again within a day, on the first day within an hour, although the next one is far away', () => {
    expect(nextPollAfterFailure(payinOf(), later(3 * DAY))).toBe(instant(4 * DAY));
    expect(nextPollAfterFailure(payinOf(), later(10 * HOUR))).toBe(instant(11 * HOUR));
  });

  test('a poll that failed is made again, also when it was the last: each day, for 30 days', () => {
    const statusHistory = [{ status: 'COMPLETED', at: instant(0) } as const];
    const next = (age: number) => nextPollAfterFailure(payinOf({ status: 'COMPLETED', statusHistory }), later(age));
    expect([next(0), next(2 * DAY), next(30 * DAY - 1), next(30 * DAY)]).toEqual([
      instant(HOUR),
      instant(3 * DAY),
      instant(31 * DAY - 1),
      undefined,
    ]);
  });
});
