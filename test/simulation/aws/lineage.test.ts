import { expect, test } from 'vitest';
import { currentLineage, inLineage, lengthened, NO_LINEAGE } from './lineage.ts';

test('a batch goes on with the longest chain of each function', () => {
  const [one, other] = [
    new Map([
      ['a', 3],
      ['b', 1],
    ]),
    new Map([
      ['a', 1],
      ['b', 5],
    ]),
  ];
  expect(lengthened([one, other], 'a')).toEqual(
    new Map([
      ['a', 4],
      ['b', 5],
    ]),
  );
  expect(lengthened([other, one], 'c')).toEqual(
    new Map([
      ['a', 3],
      ['b', 5],
      ['c', 1],
    ]),
  );
});

test('whatever is sent by a call goes on with its chain, and by others with none', async () => {
  const lineage = new Map([['a', 3]]);
  const seen = await inLineage(lineage, async () => {
    await Promise.resolve();
    return currentLineage();
  });
  expect(seen).toBe(lineage);
  expect(currentLineage()).toBe(NO_LINEAGE);
});
