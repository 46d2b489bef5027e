import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EDGE_SHAPE, EDGE_TABLE } from '#test/simulation/aws/dynamodb/edge-cases/edge-case.ts';

/** Creates the table of the edge cases for the duration of the work. */
export async function withEdgeTable<T>(dynamo: DynamoDBClient, work: () => Promise<T>): Promise<T> {
  await createTable(dynamo);
  try {
    return await work();
  } finally {
    await dynamo.send(new DeleteTableCommand({ TableName: EDGE_TABLE }));
  }
}

async function createTable(dynamo: DynamoDBClient): Promise<void> {
  const keys = ([partition, sort]: readonly [string, string]) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  const { key, indexes, alsoIn } = EDGE_SHAPE;
  await dynamo.send(
    new CreateTableCommand({
      TableName: EDGE_TABLE,
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
