import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, inject, test } from 'vitest';
import { awsOf } from '#infra/cli/local-outputs.ts';
import { edgeCases, outcomeOf } from '#test/simulation/aws/dynamodb/edge-cases/edge-cases.ts';
import { withEdgeTable } from '#test/support/edge-table.ts';

test('the local AWS treats edge cases as the tables in memory do, or differs only as documented', async () => {
  const dynamo = new DynamoDBClient(awsOf(inject('outputs')));
  const outcomes: string[] = [];
  for (const edgeCase of edgeCases) {
    const outcome = await withEdgeTable(dynamo, () => outcomeOf(edgeCase, dynamo));
    outcomes.push(`${edgeCase.title}: ${outcome}`);
  }
  expect(outcomes).toEqual(edgeCases.map(({ title, aws, local }) => `${title}: ${local ?? aws}`));
});
