import {
  CreateTableCommand,
  DeleteTableCommand,
  DynamoDBClient,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { rootCredentials } from '#infra/local/demo-data.ts';
import { engine } from '#test/simulation/aws/dynamodb/engine.ts';
import {
  make,
  RANDOM_SHAPE,
  RANDOM_TABLE,
  type RandomCall,
  randomCall,
} from '#test/simulation/aws/dynamodb/random-calls.ts';
import { requestOf } from '#test/simulation/aws/dynamodb/request.ts';

test('whatever is asked of it, the table in memory of the interleavings answers as the real one', async () => {
  const { awsEndpoint: endpoint } = inject('outputs');
  const real = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: rootCredentials });
  const calls = fc.array(randomCall, { minLength: 5, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(calls, async (all) => {
      const lag = { now: () => 0, ofIndexes: () => 0, isStale: () => false };
      const { answer } = engine({ [RANDOM_TABLE]: RANDOM_SHAPE }, lag);
      const inMemory = Object.assign(new DynamoDBClient({ region: 'in-memory-1' }), {
        send: async (command: object) => answer(requestOf(command)),
      });
      await createTable(real);
      try {
        expect(await answers(inMemory, all)).toEqual(await answers(real, all));
      } finally {
        await real.send(new DeleteTableCommand({ TableName: RANDOM_TABLE }));
      }
    }),
    { numRuns: 60 },
  );
});

async function answers(dynamo: DynamoDBClient, calls: readonly RandomCall[]): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for (const call of calls) all.push(await make(call, dynamo).then(withoutMetadata, describeRefusal));
  return all;
}

/**
 * Sets have no order, and no attributes are the same as none. The local AWS adds 2.5 and 2.5 to `5.0`, where DynamoDB, and
 * the table in memory, trim the zeros.
 */
function withoutMetadata(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (name, value) => {
      if (name === '$metadata' || (name === 'Attributes' && Object.keys(value).length === 0)) return undefined;
      if (name === 'N') return Number(value);
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

async function createTable(dynamo: DynamoDBClient): Promise<void> {
  const keys = ([partition, sort]: readonly [string, string]) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  const { key, indexes, alsoIn } = RANDOM_SHAPE;
  await dynamo.send(
    new CreateTableCommand({
      TableName: RANDOM_TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: keys(key),
      AttributeDefinitions: [...key, ...indexes.byGroup].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'byGroup',
          KeySchema: keys(indexes.byGroup),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: [...alsoIn.byGroup] },
        },
      ],
    }),
  );
}
