import { expect, test } from 'vitest';
import { firstFailure, report } from './rounds.ts';

export const SEED = 1;
const AT_A_TIME = 1000;

/** A test for each thousand rounds. */
export function testRounds({ from, rounds }: { readonly from: number; readonly rounds: number }): void {
  const starts = Array.from({ length: rounds / AT_A_TIME }, (_, slice) => from + slice * AT_A_TIME);
  test.each(starts)('1,000 random interleavings, from round %i on', async (start) => {
    const failure = await firstFailure({ seed: SEED, from: start, rounds: AT_A_TIME });
    expect(failure === undefined ? '' : await report(failure)).toBe('');
  });
}
