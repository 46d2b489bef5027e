import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { RANDOM_SHAPE, RANDOM_TABLE } from '#test/simulation/aws/dynamodb/random-calls.ts';

/** The table that random calls are made on, for as long as the work takes. */
export async function withRandomTable<T>(dynamo: DynamoDBClient, work: () => Promise<T>): Promise<T> {
  await createTable(dynamo);
  try {
    return await work();
  } finally {
    await dynamo.send(new DeleteTableCommand({ TableName: RANDOM_TABLE }));
  }
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
