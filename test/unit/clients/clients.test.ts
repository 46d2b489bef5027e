import { expect, test } from 'vitest';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { dynamoThat } from '#test/support/dynamo-that.ts';
import { CLIENT } from '#test/support/ids.ts';

test('decisions 1, client not approved: the approval is read consistently, so that no replica lets a suspended client in', async () => {
  const stored = { clientId: CLIENT, complianceStatus: 'approved', status: 'suspended', secretDigests: [] };
  const { client, sent } = dynamoThat(async () => ({ Item: stored }));
  expect(await createFindClient(client, 'clients')(CLIENT)).toEqual(stored);
  expect(sent).toEqual([{ TableName: 'clients', Key: { clientId: CLIENT }, ConsistentRead: true }]);
});
