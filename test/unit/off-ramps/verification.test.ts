import { expect, test } from 'vitest';
import { nextPollOfRun } from '#shared/off-ramps/model/verification.ts';

const NOW = new Date('2026-08-01T12:00:00.000Z');
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000).toISOString();

test.each([
  [1, 2],
  [2, 4],
  [3, 8],
  [5, 32],
  [6, 60],
  [7, 60],
  [10_000, 60],
])('decisions 4, resubmitting: after run %d broke off the pause is %d minutes', (run, minutes) => {
  expect(nextPollOfRun({ run, windowEndsAt: at(24 * 60) }, NOW)).toBe(at(minutes));
});

test.each([
  [6, 59, 59],
  [6, 60, 60],
  [6, 61, 60],
  [1, 0.1, 0.1],
])(
  'decisions 4, resubmitting: the pause of run %d, begun %d minutes before the window’s end, does not go past it',
  (run, left, minutes) => {
    expect(nextPollOfRun({ run, windowEndsAt: at(left) }, NOW)).toBe(at(minutes));
  },
);

test.each([0, -1, -60, -24 * 60])(
  'decisions 4, resubmitting: the last poll is put off like any: run 1, %d minutes before the end',
  (left) => {
    expect(nextPollOfRun({ run: 1, windowEndsAt: at(left) }, NOW)).toBe(at(2));
  },
);
