import { expect, test } from 'vitest';
import { concludePoll } from '#functions/off-ramps/match-deposit/conclude-poll.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';

const NOW = Date.parse(CREATED_AT) / 1000;

/** What is written and sent for a next poll after so many seconds. */
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

const AFTER_A_MINUTE = '2026-08-01T12:01:00.000Z';
const AFTER_MORE = '2026-08-01T12:01:01.000Z';

test('a wait of up to a minute is a message, which counts as lost five minutes after the poll', async () => {
  expect(await concluded(60)).toEqual({
    planned: [{ nextPollAt: AFTER_A_MINUTE, dueAt: '2026-08-01T12:06:00.000Z' }],
    sent: [[{ custodianTransferId: 'transfer-1', nextPollAt: AFTER_A_MINUTE }, 60]],
  });
});

test('a longer wait is left to the sweep, at the time of the poll', async () => {
  expect(await concluded(61)).toEqual({ planned: [{ nextPollAt: AFTER_MORE, dueAt: AFTER_MORE }], sent: [] });
});

test('no message is sent for a poll that was not planned, because another was faster', async () => {
  expect((await concluded(60, false)).sent).toEqual([]);
});
