import { describe, expect, test } from 'vitest';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, OPERATION, STRANGER } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT, HASH, OTHER_HASH, offRamp, verification } from '#test/support/off-ramp.ts';
import { offRampsInMemory } from '#test/support/off-ramps-in-memory.ts';

const NEXT = '2026-08-01T12:03:00.000Z';
const FIRST = { operationId: OPERATION, attempt: 1, windowStartsAt: CREATED_AT };
const POLL = {
  lastCheckedAt: CREATED_AT,
  nextCheckAt: NEXT,
  mismatch: { reason: 'UNCONFIRMED', confirmations: 3, requiredConfirmations: 12, isPutOff: true },
} as const;

/** An operation whose attempt began at noon, and the attempts that are overdue at a time. */
async function world() {
  const offRamps = offRampsInMemory(fakeClock(CREATED_AT), offRamp());
  const { beginAttempt, kept, verifications } = offRamps;
  await beginAttempt(await kept(), { txHash: HASH, windowEndsAt: EXPIRES_AT });
  const overdue = async (before: string) => {
    const found: string[] = [];
    for await (const id of verifications.overdue(CLIENT, before)) found.push(id);
    return found;
  };
  return { ...offRamps, ...verifications, overdue };
}

describe('the result of a poll', () => {
  test('is kept with the time of the next poll', async () => {
    const { recordPoll, current, overdue } = await world();
    expect(await recordPoll(FIRST, POLL)).toBe(true);
    const { mismatch, ...times } = POLL;
    const polls = [[Date.parse(CREATED_AT), 'UNCONFIRMED', Date.parse(NEXT)]] as const;
    expect(await current()).toEqual(verification({ ...times, ...mismatch, polls }));
    expect([await overdue(NEXT), await overdue('2026-08-01T12:03:00.001Z')]).toEqual([[], [OPERATION]]);
  });

  test('without a mismatch removes the earlier mismatch', async () => {
    const { recordPoll, current } = await world();
    await recordPoll(FIRST, POLL);
    await recordPoll(FIRST, { ...POLL, mismatch: undefined });
    const { polls, ...kept } = await current();
    expect(kept).toEqual(verification({ lastCheckedAt: CREATED_AT, nextCheckAt: NEXT }));
    expect(polls).toHaveLength(2);
  });

  test('without a next poll ends the attempt, which no late write opens again', async () => {
    const { recordPoll, beginRun, current, overdue } = await world();
    await recordPoll(FIRST, { ...POLL, nextCheckAt: undefined });
    expect(await overdue('9999')).toEqual([]);
    expect(await recordPoll(FIRST, POLL)).toBe(false);
    expect(await beginRun(verification(), new Date(NEXT))).toBeUndefined();
    expect(await current()).not.toHaveProperty('nextCheckAt');
  });

  test('of an attempt that was superseded is not kept', async () => {
    const { beginAttempt, kept, recordPoll, removeFromDueIndex, current, overdue } = await world();
    await beginAttempt(await kept(), { txHash: OTHER_HASH, windowEndsAt: EXPIRES_AT });
    expect([await recordPoll(FIRST, POLL), await removeFromDueIndex(FIRST)]).toEqual([false, false]);
    const earlierAttempts = [[1, HASH, 'SUPERSEDED']] as const;
    expect(await current()).toEqual(verification({ attempt: 2, txHash: OTHER_HASH, earlierAttempts }));
    expect(await overdue('9999')).toEqual([OPERATION]);
  });
});

test('an attempt that a restore undid, whose execution goes on, leaves the next one of its number as it is', async () => {
  const { recordPoll, recordSuperseded, current } = await world();
  const undone = { ...FIRST, windowStartsAt: '2026-08-01T11:00:00.000Z' };
  const ended = { ...POLL, nextCheckAt: undefined };
  expect([await recordPoll(undone, POLL), await recordPoll(undone, ended)]).toEqual([false, false]);
  expect(await recordSuperseded(undone, CREATED_AT)).toBe(false);
  expect(await current()).toEqual(verification());
});

describe('decisions 9, polls', () => {
  const at = (minute: number) => `2026-08-01T12:${String(minute).padStart(2, '0')}:00.000Z`;
  const ms = (minute: number) => Date.parse(at(minute));
  const polled = (minute: number) => ({ ...POLL, lastCheckedAt: at(minute), nextCheckAt: at(minute + 1) });

  test('are kept in their order, the last one too', async () => {
    const { recordPoll, endWindow, current } = await world();
    await recordPoll(FIRST, polled(0));
    await recordPoll(FIRST, { ...polled(1), mismatch: { reason: 'NOT_FOUND' } });
    await endWindow(FIRST, { lastCheckedAt: at(2), mismatch: { reason: 'CUSTODIAN_UNAVAILABLE' } });
    expect((await current()).polls).toEqual([
      [ms(0), 'UNCONFIRMED', ms(1)],
      [ms(1), 'NOT_FOUND', ms(2)],
      [ms(2), 'CUSTODIAN_UNAVAILABLE'],
    ]);
  });

  test('that found the operation verified or ended are kept although no poll was to come, and open nothing again', async () => {
    const { recordPoll, recordSuperseded, current, overdue } = await world();
    const ended = { ...POLL, nextCheckAt: undefined };
    await recordPoll(FIRST, ended);
    expect(await recordSuperseded(FIRST, at(1))).toBe(true);
    expect(await current()).toMatchObject({ lastCheckedAt: CREATED_AT, reason: 'UNCONFIRMED' });
    expect(await recordPoll(FIRST, { ...ended, lastCheckedAt: at(2), mismatch: undefined })).toBe(true);
    const { polls, nextCheckAt } = await current();
    expect(polls).toEqual([
      [ms(0), 'UNCONFIRMED'],
      [ms(1), 'SUPERSEDED'],
      [ms(2), 'DEPOSIT_VERIFIED'],
    ]);
    expect([nextCheckAt, await overdue('9999')]).toEqual([undefined, []]);
  });

  test('of earlier runs are kept by the next one, but no more than two hundred', async () => {
    const { putVerification, beginRun, recordPoll, current } = await world();
    const many = Array.from({ length: 1000 }, (_, second) => [second, 'NOT_FOUND', second + 1] as const);
    putVerification(verification({ polls: many }));
    await beginRun(await current(), new Date(NEXT));
    await recordPoll(FIRST, polled(1));
    const { polls, run } = await current();
    expect(run).toBe(2);
    expect(polls).toEqual([...many.slice(-200), [ms(1), 'UNCONFIRMED', ms(2)]]);
  });
});

test('an attempt that needs no further poll is no longer overdue', async () => {
  const { removeFromDueIndex, overdue, current } = await world();
  expect(await removeFromDueIndex(FIRST)).toBe(true);
  expect(await overdue('9999')).toEqual([]);
  expect(await current()).toEqual(verification({ nextCheckAt: undefined }));
});

test('the next run of an attempt is the one after that which was read, once', async () => {
  const { beginRun, current } = await world();
  const seen = await current();
  const now = new Date('2026-08-01T12:10:00.000Z');
  const next = verification({ run: 2, nextCheckAt: '2026-08-01T12:12:00.000Z' });
  expect(await beginRun(seen, now)).toEqual(next);
  expect(await beginRun(seen, now)).toBeUndefined();
  expect(await current()).toEqual(next);
});

test('a client’s overdue attempts are listed with the most overdue first, and none of another client', async () => {
  const { putVerification, overdue } = await world();
  const ids = Array.from({ length: 60 }, (_, index) => `11111111-1111-4111-8111-${String(index).padStart(12, '0')}`);
  const minute = (index: number) => `2026-08-01T11:${String(59 - index).padStart(2, '0')}:00.000Z`;
  for (const [index, operationId] of ids.entries()) {
    const clientId = index % 3 === 0 ? STRANGER : CLIENT;
    putVerification(verification({ operationId, clientId, nextCheckAt: minute(index) }));
  }
  const own = ids.filter((_, index) => index % 3 !== 0);
  expect(await overdue(CREATED_AT)).toEqual(own.toReversed());
});
