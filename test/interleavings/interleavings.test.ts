import { expect, test } from 'vitest';
import { firstFailure, report } from './rounds.ts';

const AT_A_TIME = 1000;

/** The simulation plays the whole service: these rounds hold what the search for conditions rests on. */
test.each([0, 1000, 2000, 3000, 4000])('1,000 random interleavings, from round %i on', async (from) => {
  const failure = await firstFailure({ seed: 1, from, rounds: AT_A_TIME });
  expect(failure === undefined ? '' : await report(failure)).toBe('');
});
