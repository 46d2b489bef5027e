import { expect, test } from 'vitest';
import { concludePoll } from '#functions/off-ramps/match-deposit/conclude-poll.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';

const NOW = Date.parse(CREATED_AT) / 1000;

/** What is written and sent for the next poll, which is due after `wait` seconds. */
async function concluded(wait: number, isKept = true) {
  const planned: unknown[] = [];
  const sent: unknown[] = [];
  const conclusion = {
    polls: {
      record: async (...[, , next]: readonly unknown[]) => {
        planned.push(next);
        return isKept;
      },
    },
    sendPoll: async (poll: unknown, delaySeconds: number) => {
      sent.push([poll, delaySeconds]);
    },
    clock: fakeClock(CREATED_AT),
  };
  const polled = { custodianTransferId: 'transfer-1', nextPollAt: CREATED_AT };
  expect(await concludePoll(conclusion, polled, {}, NOW + wait)).toBe(isKept);
  return { planned, sent };
}

const AFTER_15_MINUTES = '2026-08-01T12:15:00.000Z';
const AFTER_MORE = '2026-08-01T12:15:01.000Z';

test('a wait of up to 15 minutes is a message, which counts as lost five minutes after the poll', async () => {
  expect(await concluded(900)).toEqual({
    planned: [{ nextPollAt: AFTER_15_MINUTES, dueAt: '2026-08-01T12:20:00.000Z' }],
    sent: [[{ custodianTransferId: 'transfer-1', nextPollAt: AFTER_15_MINUTES }, 900]],
  });
});

test('a longer wait is left to the sweep, at the time of the poll', async () => {
  expect(await concluded(901)).toEqual({ planned: [{ nextPollAt: AFTER_MORE, dueAt: AFTER_MORE }], sent: [] });
});

test('no message is sent for a poll that was not planned, because another was faster', async () => {
  expect((await concluded(900, false)).sent).toEqual([]);
});
