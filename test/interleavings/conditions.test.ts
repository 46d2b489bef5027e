import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ruleOf } from './conditions/search.ts';
import { refusalsIn, withoutConditions } from './conditions/without.ts';
import { firstFailure } from './rounds.ts';

const page = readFileSync(new URL('../../docs/testing.md', import.meta.url), 'utf8');

test('docs/testing.md names exactly the conditions that are met, each once', async () => {
  const rows = page.matchAll(/^\| ([a-z -]+) \| ([a-z]+ [A-Za-z]+) \| `([^`]+)` \|/gm);
  const named = [...rows].map(([, place, write, condition]) => `${place} | ${write} | ${condition}`);
  const met = await refusalsIn({ seed: 1, rounds: 100 });
  expect(named.toSorted()).toEqual([...met.keys()].toSorted());
});

/** Sets of the page, with what breaks without them: the checker can fail. */
const sets: readonly [rule: string, ...conditions: readonly string[]][] = [
  ['FUNDED is what is verified', 'confirm | put FUNDED | attribute_not_exists(claim)'],
  ['an address is one user’s', 'create | put ADDRESS | attribute_not_exists(claim) OR userId = :user'],
  ['no DECLARED leaked, none missing', 'create | put OPERATION | attribute_not_exists(operationId)'],
  ['the reason is that of the declared hash', 'check | update VERIFICATION | #attempt = :seen_attempt'],
  ['a declared hash funds no twin', 'submit | check FUNDED | attribute_not_exists(claim)'],
  ['no DECLARED leaked, none missing', 'submit | put DECLARED | attribute_not_exists(claim) OR operationId = :own'],
];

test.each(sets)('it is found in 500 rounds that “%s” does not hold without %s', async (rule, ...conditions) => {
  const failure = await firstFailure({ seed: 1, rounds: 500 }, withoutConditions(conditions));
  expect(failure && ruleOf(failure)).toBe(rule);
});
