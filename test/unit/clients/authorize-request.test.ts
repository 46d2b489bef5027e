import { expect, test } from 'vitest';
import { authorizeRequest } from '#functions/clients/authorize-request/authorize-request.ts';
import { CLIENT } from '#test/support/ids.ts';

const event = {
  authorizationToken: 'Bearer good',
  methodArn: 'arn:aws:execute-api:us-east-1:000000000000:api/stage/POST/api/v1/admin/operation',
};
const authorize = authorizeRequest(async (header) =>
  header === 'Bearer good' ? { clientId: CLIENT, expiresAtSeconds: 1_800_000_000 } : undefined,
);

test('decisions 1, access token: the answer passes on the client of the token and the time at which it ends', async () => {
  expect(await authorize(event)).toMatchObject({
    principalId: CLIENT,
    context: { clientId: CLIENT, exp: 1_800_000_000 },
  });
});

test('decisions 10, requests: the usage plan counts by the client, whose id is the value of its key', async () => {
  expect((await authorize(event)).usageIdentifierKey).toBe(CLIENT);
});

test('decisions 1, access token: the answer may be cached, so it covers every route of the stage and no other', async () => {
  const { policyDocument } = await authorize(event);
  expect(policyDocument.Statement).toEqual([
    {
      Action: 'execute-api:Invoke',
      Effect: 'Allow',
      Resource: 'arn:aws:execute-api:us-east-1:000000000000:api/stage/*',
    },
  ]);
});

test('decisions 1: anything else is Unauthorized, the text that becomes a 401', async () => {
  await expect(authorize({ ...event, authorizationToken: 'Bearer bad' })).rejects.toThrow(/^Unauthorized$/);
});
