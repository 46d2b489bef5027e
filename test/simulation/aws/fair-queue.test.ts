import { expect, test } from 'vitest';
import { noisyGroups } from './fair-queue.ts';
import { newMessage } from './queue-messages.ts';

/** So many messages of each group in flight. */
function inFlight(counts: readonly (readonly [group: string | undefined, count: number])[]) {
  return new Set(
    counts.flatMap(([group, count]) => Array.from({ length: count }, () => newMessage('id', 'body', 0, { group }))),
  );
}

test.each<[string, ...Parameters<typeof inFlight>, string[]]>([
  [
    'has 30 messages in flight, and more than a tenth of all',
    [
      ['a', 30],
      ['b', 29],
    ],
    ['a'],
  ],
  [
    'has less than 30',
    [
      ['a', 29],
      ['b', 29],
    ],
    [],
  ],
  ['has no more than a tenth', [['a', 30], ...Array.from({ length: 15 }, (_, n) => [`${n}`, 20] as const)], []],
  [
    'is one of two',
    [
      ['a', 30],
      ['b', 40],
    ],
    ['a', 'b'],
  ],
  ['is made of messages that have none', [[undefined, 100]], []],
])('a group takes too much or not, when it %s', (_, counts, noisy) => {
  expect([...noisyGroups(inFlight(counts))].toSorted()).toEqual(noisy);
});
