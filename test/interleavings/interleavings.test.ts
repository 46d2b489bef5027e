import { expect, test } from 'vitest';
import { firstFailure, report } from './rounds.ts';

const SEED = 1;
const ROUNDS = 20_000;
const AT_A_TIME = 1000;

const starts = Array.from({ length: ROUNDS / AT_A_TIME }, (_, slice) => slice * AT_A_TIME);

test.each(starts)('1,000 random interleavings, from round %i on', async (from) => {
  const failure = await firstFailure({ seed: SEED, from, rounds: AT_A_TIME });
  expect(failure === undefined ? '' : await report(failure)).toBe('');
});

test('the same numbers make the same history, the next round another one', async () => {
  const history = async (round: number) => {
    const lines: string[] = [];
    await firstFailure({ seed: SEED, from: round, rounds: 1 }, { tell: (line) => lines.push(line) });
    return lines;
  };
  expect(await history(7)).toEqual(await history(7));
  expect(await history(7)).not.toEqual(await history(8));
});
