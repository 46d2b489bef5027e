import { expect, test } from 'vitest';
import { clientInMemory } from './client-in-memory.ts';
import { edgeCases, outcomeOf } from './edge-cases/edge-cases.ts';
import { RANDOM_SHAPE, RANDOM_TABLE } from './random-calls.ts';

test.each(edgeCases)('$title: $aws', async (edgeCase) => {
  const dynamo = clientInMemory({ [RANDOM_TABLE]: RANDOM_SHAPE });
  expect(await outcomeOf(edgeCase, dynamo)).toBe(edgeCase.aws);
});
