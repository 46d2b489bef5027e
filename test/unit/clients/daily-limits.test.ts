import { describe, expect, test } from 'vitest';
import { createCountCall, createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { dailyLimitReached } from '#shared/platform/http/api-error.ts';
import { allowancesInMemory } from '#test/support/allowances-in-memory.ts';
import { captureLogs } from '#test/support/capture-logs.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const MIDNIGHT = '2026-08-02T00:00:00.000Z';

function world(mostPerDay: number) {
  const clock = fakeClock(CREATED_AT);
  const { countCall, ...others } = allowancesInMemory(clock, 'offRamps', mostPerDay);
  const times = async (count: number, clientId = CLIENT) => {
    for (let made = 0; made < count; made += 1) expect(await countCall(clientId)).toBe(true);
  };
  const refused = async () => expect(await countCall(CLIENT)).toBe(false);
  return { clock, times, refused, ...others };
}

describe('decisions 10, costly calls: a day of a client', () => {
  test('ends at its limit, until the next midnight in UTC', async () => {
    const { clock, times, refused, items } = world(3);
    await times(3);
    await refused();
    expect(items()).toMatchObject([{ allowance: `offRamps#${CLIENT}#2026-08-01`, used: 3 }]);
    clock.set('2026-08-01T23:59:59.999Z');
    await refused();
    clock.set(MIDNIGHT);
    await times(3);
    await refused();
  });

  test('takes nothing from another client', async () => {
    const { times, refused } = world(2);
    await times(2);
    await times(2, STRANGER);
    await refused();
  });

  test('has the limit that an operator has given it, from the next call on', async () => {
    const { given, times, refused } = world(2);
    await times(2);
    given.dailyLimits = { offRamps: 4, reports: 1 };
    await times(2);
    await refused();
    given.dailyLimits = { offRamps: 3 };
    await refused();
    given.dailyLimits = { payIns: 1 };
    await refused();
  });

  test('may have a limit of zero', async () => {
    const { given, refused, writes } = world(2);
    given.dailyLimits = { offRamps: 0 };
    await refused();
    expect(writes()).toBe(0);
  });

  test('is counted in an item that expires once nobody asks for it', async () => {
    const { times, items } = world(2);
    await times(1);
    expect(items()).toMatchObject([{ expiresAt: Date.parse('2026-08-03T12:00:00Z') / 1000 }]);
  });
});

describe('decisions 10, costly calls: two at the limit', () => {
  test('at the same moment: only one is granted', async () => {
    const { times, refused, items } = world(3);
    await times(2);
    const [one, other] = await Promise.allSettled([times(1), times(1)]);
    expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(items()).toMatchObject([{ used: 3 }]);
    await refused();
  });

  test('a count that meets a throttled table is made again, and one whose answer is lost counts twice, never less', async () => {
    const clock = fakeClock(CREATED_AT);
    const { dynamo, table } = tablesInMemory(1);
    const allowances = createDailyAllowances(dynamo, 'allowances', clock);
    const findClient = async () => ({});
    const countCall = createCountCall({ call: 'offRamps', mostPerDay: 9, findClient, allowances });
    await countCall(CLIENT);
    expect(table('allowances').items()).toMatchObject([{ used: 2 }]);
  });
});

describe('decisions 10, costly calls: operators hear of a client', () => {
  const notice = (percent: number) => ({
    level: 'warn',
    code: 'DAILY_LIMIT_USED',
    fields: { clientId: CLIENT, limit: 'offRamps', percent },
  });

  test('at 80 % and at 100 %, once a day', async () => {
    const lines = captureLogs();
    const { clock, times, refused } = world(10);
    await times(7);
    expect(lines).toEqual([]);
    await times(1);
    expect(lines).toEqual([notice(80)]);
    await times(1);
    expect(lines).toEqual([notice(80)]);
    await times(1);
    await refused();
    await refused();
    expect(lines).toEqual([notice(80), notice(100)]);
    clock.set(MIDNIGHT);
    await times(9);
    expect(lines).toEqual([notice(80), notice(100), notice(80)]);
  });

  test('only once if several calls reach the limit at the same moment', async () => {
    const lines = captureLogs();
    const { times } = world(10);
    await times(7);
    await Promise.all([times(1), times(1)]);
    expect(lines).toEqual([notice(80)]);
  });

  test('when its limit is lowered below what it has used', async () => {
    const lines = captureLogs();
    const { given, times, refused } = world(100);
    await times(9);
    given.dailyLimits = { offRamps: 5 };
    await refused();
    await refused();
    expect(lines).toEqual([notice(100)]);
  });

  test('a notice that cannot be kept costs the client nothing', async () => {
    const lines = captureLogs();
    const clock = fakeClock(CREATED_AT);
    const { dynamo } = tablesInMemory();
    const kept = createDailyAllowances(dynamo, 'allowances', clock);
    const allowances = { ...kept, recordAlert: () => Promise.reject(new Error('gone')) };
    const countCall = createCountCall({
      call: 'payIns',
      mostPerDay: 1,
      findClient: async () => ({}),
      allowances,
    });
    await countCall(CLIENT);
    expect(lines).toMatchObject([{ level: 'warn', code: 'DAILY_LIMIT_NOT_TOLD', fields: { clientId: CLIENT } }]);
  });
});

test.each([
  ['2026-08-01T12:00:00.000Z', 12 * 3600],
  ['2026-08-01T23:59:59.001Z', 1],
  ['2026-08-01T23:59:59.999Z', 1],
  [MIDNIGHT, 24 * 3600],
])('decisions 10, costly calls: at %s the day ends in %d seconds', (now, retryAfterSeconds) => {
  expect(dailyLimitReached(new Date(now))).toMatchObject({
    status: 429,
    code: 'DAILY_LIMIT_REACHED',
    retryAfterSeconds,
  });
});
