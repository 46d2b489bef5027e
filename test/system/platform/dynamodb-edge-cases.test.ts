import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, inject, test } from 'vitest';
import { rootCredentials } from '#infra/local/demo-data.ts';
import { edgeCases, outcomeOf } from '#test/simulation/aws/dynamodb/edge-cases/edge-cases.ts';
import { withRandomTable } from '#test/support/random-table.ts';

test('the local AWS does at the edges what the tables in memory do, or differs where it is said to', async () => {
  const { awsEndpoint: endpoint } = inject('outputs');
  const dynamo = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: rootCredentials });
  const outcomes: string[] = [];
  for (const edgeCase of edgeCases) {
    const outcome = await withRandomTable(dynamo, () => outcomeOf(edgeCase, dynamo));
    outcomes.push(`${edgeCase.title}: ${outcome}`);
  }
  expect(outcomes).toEqual(edgeCases.map(({ title, aws, local }) => `${title}: ${local ?? aws}`));
});
