import { expect, test } from 'vitest';
import { transferPending, transferUnmatched } from '#shared/off-ramps/model/deposit-changes.ts';
import { createDepositPolls } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { systemClock } from '#shared/platform/clock.ts';
import { CREATED_AT, transfer } from '#test/support/off-ramp.ts';
import { tablesInMemory } from '#test/support/tables-in-memory.ts';

const NEXT = { nextPollAt: '2026-08-01T12:03:00.000Z', dueAt: '2026-08-01T12:03:00.000Z' };

/** A deposit that was notified at noon; the answers to this many of the first writes after that are lost. */
async function world(lostAnswers: number) {
  const told = transfer({ toTag: undefined });
  const now = new Date(CREATED_AT);
  // The answer to the notification's own write is lost too, which changes nothing.
  const { dynamo } = tablesInMemory(lostAnswers + 1);
  const deposits = createDepositRepository(dynamo, 'deposits', systemClock);
  return {
    told,
    now,
    deposits,
    poll: await deposits.remember(told, now),
    polls: createDepositPolls(dynamo, 'deposits', systemClock),
  };
}

test.each([0, 1])('what a poll found is kept, though %i answers to the write were lost', async (lostAnswers) => {
  const { told, now, deposits, poll, polls } = await world(lostAnswers);
  expect(await polls.record(poll, transferPending(told), NEXT)).toBe(true);
  expect(await deposits.find(told.custodianTransferId)).toMatchObject({ nextPollAt: NEXT.nextPollAt });
  expect(await polls.record(poll, transferUnmatched({}, told, now, ['WRONG_AMOUNT']))).toBe(false);
});

test.each([0, 1])('what the last poll found is kept, though %i answers to the write were lost', async (lostAnswers) => {
  const { told, now, poll, polls } = await world(lostAnswers);
  expect(await polls.record(poll, transferUnmatched({}, told, now, ['WRONG_AMOUNT']))).toBe(true);
  expect(await polls.record(poll, transferUnmatched({}, told, new Date(now.getTime() + 1), ['WRONG_AMOUNT']))).toBe(
    false,
  );
  expect(await polls.record(poll, transferPending(told), NEXT)).toBe(false);
});

test('only one of two sweeps reserves the message of a poll', async () => {
  const { poll, polls } = await world(0);
  const due = { custodianTransferId: poll.custodianTransferId, dueAt: '2026-08-01T12:05:00.000Z' };
  expect(await polls.reserve(due, '2026-08-01T12:10:00.000Z')).toEqual(poll);
  expect(await polls.reserve(due, '2026-08-01T12:10:00.000Z')).toBeUndefined();
});

test('the result of a poll from before the status changed is not kept, though another notification came in the same millisecond', async () => {
  const { told, now, deposits, poll, polls } = await world(0);
  expect(await polls.record(poll, { ...transferPending(told), sequence: 1 }, NEXT)).toBe(true);
  expect(await deposits.remember(told, now)).toEqual(poll);
  expect(await polls.record(poll, transferUnmatched({}, told, now, ['WRONG_AMOUNT']))).toBe(false);
  expect(await polls.record({ ...poll, sequence: 1 }, transferUnmatched({}, told, now, ['WRONG_AMOUNT']))).toBe(true);
});
