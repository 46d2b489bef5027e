import { expect, test } from 'vitest';
import { firstFailure } from './rounds.ts';

test('the same numbers make the same history, the next round another one', async () => {
  const history = async (round: number) => {
    const lines: string[] = [];
    await firstFailure({ seed: 1, from: round, rounds: 1 }, { tell: (line) => lines.push(line) });
    return lines;
  };
  expect(await history(7)).toEqual(await history(7));
  expect(await history(7)).not.toEqual(await history(8));
});
