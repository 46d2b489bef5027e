import { expect, test } from 'vitest';
import { type Play, playBase } from './base.ts';
import type { Guard } from './guard.ts';
import { type BreakingSet, searchBreakingSets } from './search.ts';
import { tableOf } from './table.ts';

/** `a` and `b` are of one use case, `c` and `d` guard one table, `e` and `f` are alone. */
const guards: readonly Guard[] = [
  { name: 'one | put a | a', useCase: 'one', table: 'a' },
  { name: 'one | put b | b', useCase: 'one', table: 'b' },
  { name: 'two | put c | c', useCase: 'two', table: 'same' },
  { name: 'three | put c | d', useCase: 'three', table: 'same' },
  { name: 'four | put e | e', useCase: 'four', table: 'e' },
  { name: 'five | put f | f', useCase: 'five', table: 'f' },
];

const short = ({ name }: Guard) => name.slice(-1);

/** A round needs the guards that its number is odd or even for, and breaks without all of one of these sets. */
function playThat(breaks: readonly string[], played: string[] = []): Play {
  return async (round, without) => {
    const taken = guards.filter(({ name }) => without.includes(name)).map(short);
    played.push(taken.join(''));
    const rule = breaks.find((set) => [...set].every((letter) => taken.includes(letter)));
    return {
      rule: round >= 3 ? rule : undefined,
      offRamps: 10,
      met: guards,
      needed: round % 2 === 1 ? guards.map(({ name }) => name) : [],
    };
  };
}

async function setsFound(...breaks: readonly string[]): Promise<readonly BreakingSet[]> {
  const play = playThat(breaks);
  return searchBreakingSets(play, await playBase(play, 100), () => {});
}

const found = async (...breaks: readonly string[]) =>
  (await setsFound(...breaks)).map((set) => set.guards.map(short).toSorted().join('')).toSorted();

test('a guard without which a rule breaks is found alone, and in no larger set', async () => {
  expect(await found('b', 'd')).toEqual(['b', 'd']);
});

test('guards of one use case or of one table, either of which is enough, are found together', async () => {
  expect(await found('ab', 'cd')).toEqual(['ab', 'cd']);
});

test('guards that have nothing in common are found by what is left of all', async () => {
  expect(await found('aef')).toEqual(['aef']);
});

test('a set is as small as it can be', async () => {
  expect(await found('abcd', 'bd')).toEqual(['bd']);
});

test('only rounds are played without a guard in which it is needed', async () => {
  const played: string[] = [];
  const play = playThat([], played);
  const base = await playBase(play, 100);
  played.length = 0;
  await searchBreakingSets(play, base, () => {});
  expect(played.filter((without) => without === 'a')).toHaveLength(6);
});

test('the first round that breaks is told by the off-ramps up to it', async () => {
  const play = playThat(['ab', 'e']);
  const base = await playBase(play, 100);
  const rows = tableOf(base, await searchBreakingSets(play, base, () => {})).split('\n');
  expect(rows).toContain('| one | put a | `a` | 6 | `b` of put b | ab | 40 |');
  expect(rows).toContain('| four | put e | `e` | 6 | nothing else | e | 40 |');
  expect(rows).toContain('| five | put f | `f` | 6 | – |  |  |');
});

test('nothing is searched for when a rule breaks with all guards', async () => {
  await expect(playBase(playThat(['']), 100)).rejects.toThrow('Round 3 fails with all guards');
});
