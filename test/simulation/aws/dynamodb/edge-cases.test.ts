import { expect, test } from 'vitest';
import { clientInMemory } from './client-in-memory.ts';
import { EDGE_SHAPE, EDGE_TABLE } from './edge-cases/edge-case.ts';
import { edgeCases, outcomeOf } from './edge-cases/edge-cases.ts';

test.each(edgeCases)('$title: $aws', async (edgeCase) => {
  const dynamo = clientInMemory({ [EDGE_TABLE]: EDGE_SHAPE });
  expect(await outcomeOf(edgeCase, dynamo)).toBe(edgeCase.aws);
});
