import { describe, expect, test } from 'vitest';
import type { LoggedPoll } from '#shared/off-ramps/model/poll-schedule.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { lookUpWorld } from '#test/support/look-up-world.ts';

const NOW = '2026-08-01T12:30:00.000Z';
const minutes = (count: number) => Date.parse(NOW) + count * 60_000;
const at = (count: number) => new Date(minutes(count)).toISOString();

async function hashOf(polls: readonly LoggedPoll[], differences: Partial<Verification>) {
  const { putVerification, look } = lookUpWorld(NOW);
  putVerification({ polls, nextCheckAt: undefined, ...differences });
  return (await look()).hash;
}

const wrong: LoggedPoll = [minutes(-1), 'WRONG_AMOUNT', minutes(1)];

describe('decisions 11, one look: the execution of a hash is in', () => {
  test.each<readonly [string, string | undefined, readonly LoggedPoll[], Partial<Verification>]>([
    ['before its first poll', 'Check with the custodian', [], { nextCheckAt: at(-1) }],
    ['between two polls', 'Wait until the next check', [wrong], { nextCheckAt: at(1) }],
    [
      'when a poll is due',
      'Check with the custodian',
      [[minutes(-2), 'NOT_FOUND', minutes(-1)]],
      { nextCheckAt: at(-1) },
    ],
    ['in a new run, which polls at once', 'Check with the custodian', [wrong], { run: 2, nextCheckAt: at(4) }],
    ['long after a poll was due', undefined, [[minutes(-5), 'NOT_FOUND', minutes(-4)]], { nextCheckAt: at(-4) }],
    ['after the deposit was confirmed', 'Deposit verified', [wrong, [minutes(0), 'DEPOSIT_VERIFIED']], {}],
    ['after the window', 'Window ended', [wrong, [minutes(0), 'WRONG_AMOUNT']], {}],
    ['after the end of the operation', 'Superseded', [wrong, [minutes(0), 'SUPERSEDED']], {}],
    ['where no poll is to come and none has said why', undefined, [wrong], {}],
  ])('%s: %s', async (_, state, polls, differences) => {
    expect((await hashOf(polls, differences)).executionState).toBe(state);
  });
});

test('decisions 11, one look: a hash has its newest polls, in words', async () => {
  const older = Array.from({ length: 30 }, (_, position): LoggedPoll => [position, 'NOT_FOUND', position + 1]);
  const { polls } = await hashOf([...older, wrong, [minutes(0), 'WRONG_AMOUNT']], {});
  expect(polls).toHaveLength(20);
  expect(polls.slice(0, 2)).toEqual([
    { at: at(0), found: expect.stringMatching(/not exactly the awaited one.*The window has ended\.$/) },
    { at: at(-1), found: expect.stringMatching(/not exactly the awaited one/), nextCheckAt: at(1) },
  ]);
});

test.each([
  [[minutes(0), 'DEPOSIT_VERIFIED'], 'The custodian has confirmed the deposit.'],
  [[minutes(0), 'SUPERSEDED'], 'The operation had ended, or was funded by another hash.'],
] as const)('decisions 11, one look: the last poll %j is told as: %s', async (poll, said) => {
  expect((await hashOf([poll], {})).polls).toEqual([{ at: at(0), found: said }]);
});
