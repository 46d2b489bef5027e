import { expect, test } from 'vitest';
import { testWebhookContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { callOnceAs, demoClient, type HttpAnswer, problemOf } from '#test/support/http-client.ts';

const client = demoClient('demo');
const nowhere = testWebhookContract.path
  .replace('{clientId}', client.clientId)
  .replace('{webhook_id}', '00000000-0000-4000-8000-000000000000');

/** Calls, four at a time, until one is refused for coming too fast. */
async function untilTooMany(rounds: number): Promise<readonly HttpAnswer[]> {
  const answers = await Promise.all([1, 2, 3, 4].map(() => callOnceAs(client, 'POST', nowhere)));
  return rounds === 1 || answers.some(({ status }) => status === 429) ? answers : untilTooMany(rounds - 1);
}

test('decisions 10: a caller above the limit of a route gets 429 with the time to come back', async () => {
  const refused = (await untilTooMany(50)).filter(({ status }) => status !== 404);
  expect(refused.map(problemOf)).toContainEqual(expect.objectContaining({ status: 429, code: 'TOO_MANY_REQUESTS' }));
  for (const { status, headers } of refused) {
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  }
});
