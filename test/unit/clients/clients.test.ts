import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createFindClient } from '#shared/clients/client-store.ts';
import { toItem } from '#shared/platform/dynamodb/client.ts';
import { CLIENT } from '#test/support/ids.ts';

test('decisions 1, client not approved: the approval is read consistently, so that no replica lets a suspended client in', async () => {
  const stored = { clientId: CLIENT, complianceStatus: 'approved', status: 'suspended', secretDigests: [] };
  const asked: unknown[] = [];
  const dynamo = Object.assign(new DynamoDBClient({ region: 'us-east-1' }), {
    send: async ({ input }: { input: unknown }) => {
      asked.push(input);
      return { Item: toItem(stored) };
    },
  });
  expect(await createFindClient(dynamo, 'clients')(CLIENT)).toEqual(stored);
  expect(asked).toEqual([{ TableName: 'clients', Key: toItem({ clientId: CLIENT }), ConsistentRead: true }]);
});
