import { DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { clientInMemory } from '#test/simulation/aws/dynamodb/client-in-memory.ts';
import {
  make,
  RANDOM_SHAPE,
  RANDOM_TABLE,
  type RandomCall,
  randomCall,
} from '#test/simulation/aws/dynamodb/random-calls.ts';
import { withRandomTable } from '#test/support/random-table.ts';

test('whatever is asked of it, the table in memory answers as the real one', async () => {
  const real = new DynamoDBClient(awsOf(inject('outputs')));
  const calls = fc.array(randomCall, { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const inMemory = clientInMemory({ [RANDOM_TABLE]: RANDOM_SHAPE });
      expect(await answers(inMemory, all)).toEqual(await withRandomTable(real, () => answers(real, all)));
    }),
    { numRuns: 60 },
  );
});

async function answers(dynamo: DynamoDBClient, calls: readonly RandomCall[]): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const call of calls) all.push(await make(call, dynamo).then(withoutMetadata, describeRefusal));
  return all;
}

/** Sets have no order, and no attributes are the same as none. */
function withoutMetadata(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value) => {
      if (name === '$metadata' || (name === 'Attributes' && Object.keys(value).length === 0)) return undefined;
      return name === 'SS' && Array.isArray(value) ? value.toSorted() : value;
    }),
  );
}

function describeRefusal(error: unknown): unknown {
  if (error instanceof TransactionCanceledException) {
    return withoutMetadata((error.CancellationReasons ?? []).map(({ Code, Item }) => ({ Code, Item })));
  }
  if (!(error instanceof Error)) throw error;
  return withoutMetadata({ name: error.name, item: 'Item' in error ? error.Item : undefined });
}
