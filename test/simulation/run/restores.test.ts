import { beforeAll, expect, inject, test } from 'vitest';
import type { Deployed } from '#test/simulation/aws/aws-in-memory.ts';
import { deployed } from '#test/simulation/service/deployed.ts';
import type { Step } from '#test/simulation/world/restore/restore.ts';
import { textOf } from './failure.ts';
import { playRound, type RoundNumber } from './round.ts';

let service: Deployed;

/** Milliseconds, for machines that are busy. */
const LONGEST = 400_000;

beforeAll(async () => {
  service = await deployed(inject('topology'));
});

const outcomeOf = (number: Omit<RoundNumber, 'restores'>) =>
  playRound(service, { ...number, restores: true }).then(({ restores: { played } }) => `${played} played`, textOf);

test(
  'decisions 4, putting back: a restore to any second of a round is put right',
  async () => {
    for (let round = 0; round < 5; round += 1)
      expect(await outcomeOf({ seed: inject('seed'), round })).toBe('1 played');
  },
  LONGEST,
);

/** The damage shows in one round of two to ten. */
const MOST_ROUNDS = 60;

const needed: readonly (readonly [Step, RegExp])[] = [
  ['put back', /^an off-ramp that was created is there/],
  ['redrive', /^every event goes to each webhook/],
  ['ledgers', /^what was paid out is known by its reference/],
  ['hold', /^(what has left counts as sent back|money that came in once is sent back once)/],
];

test.each(needed)(
  'the books notice a restore after which this step is left out: %s',
  async (leftOut, rule) => {
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const outcome = await outcomeOf({ seed: 1, round, leftOut });
      if (outcome !== '1 played') return expect(outcome).toMatch(rule);
    }
    expect.fail('No round was worse without it.');
  },
  LONGEST,
);
