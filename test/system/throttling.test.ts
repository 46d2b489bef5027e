import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { testWebhook } from '#shared/contracts/test-webhook.ts';
import { callAs, demoClient, problemOf } from '../support/http-client.ts';

const client = demoClient('demo');
const nowhere = testWebhook.path
  .replace('{clientId}', client.clientId)
  .replace('{webhook_id}', '00000000-0000-4000-8000-000000000000');

// The next file finds the route as this one did: it lets ten calls in, and two more every second.
afterAll(() => sleep(6000));

test('decisions 10: what asks too often of a route with a limit of its own is told to come back later', async () => {
  const answers = await Promise.all(Array.from({ length: 30 }, () => callAs(client, 'POST', nowhere)));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404, 429]));
  for (const answer of answers.filter(({ status }) => status === 429)) {
    expect(problemOf(answer)).toMatchObject({ status: 429, code: 'TOO_MANY_REQUESTS' });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000');
  }
});
