import { expect, inject, test } from 'vitest';
import { deployed } from '#test/simulation/service/deployed.ts';
import { type Line, playRound } from './round.ts';

test('the same numbers make the same history, the next round another one', async () => {
  const service = await deployed(inject('topology'));
  const history = async (round: number) => {
    const lines: Line[] = [];
    await playRound(service, { seed: 1, round }, { tell: (line) => lines.push(line) });
    return lines;
  };
  // A module logs some lines only once per process.
  await history(7);
  expect(await history(7)).toEqual(await history(7));
  expect(await history(7)).not.toEqual(await history(8));
});
