import { expect, test } from 'vitest';
import type { CallResult } from '#shared/webhooks/call-webhook.ts';
import { signedHeaders } from '#shared/webhooks/sign-webhook.ts';
import { createTestHost, START } from '#test/simulation/aws/test-host.ts';
import type { Spell } from './behaviour.ts';
import { createEndpoints } from './endpoints.ts';

const URL_OF_CLIENT = 'https://client.example/webhooks';
const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 2).toString('base64')}`;
const WELL = { lostAnswer: 0, error: 0, slow: 0 };

function world(spells: readonly Spell[] = [], faults = WELL) {
  const host = createTestHost();
  const endpoints = createEndpoints(host, [{ url: URL_OF_CLIENT, clientId: 'client', spells }], faults);
  endpoints.giveSecret(URL_OF_CLIENT, SECRET);

  /** Calls the endpoint as the service does. */
  async function call(secret = SECRET): Promise<CallResult | undefined> {
    const results: CallResult[] = [];
    host.schedule.start('test', async () => {
      const { url, addresses } = await endpoints.guardUrl(URL_OF_CLIENT);
      const headers = signedHeaders([secret], { id: 'evt_1', at: host.schedule.clock.now(), body: '{}' });
      results.push(await endpoints.callWebhook({ url, addresses, method: 'POST', headers, body: '{}' }));
    });
    await host.schedule.run();
    return results[0];
  }

  async function sleep(milliseconds: number): Promise<void> {
    host.schedule.start('test', () => host.schedule.clock.sleep(milliseconds));
    await host.schedule.run();
  }

  return { ...endpoints, call, sleep };
}

test('an endpoint keeps what it is sent, and answers', async () => {
  const { call, receipts } = world();
  expect(await call()).toEqual({ statusCode: 200 });
  expect(receipts).toMatchObject([{ at: START, url: URL_OF_CLIENT, eventId: 'evt_1', body: '{}', status: 200 }]);
});

test('a call that no secret of its client has signed ends the round, once its client knows all of them', async () => {
  const { call, doubtSecret, sleep } = world();
  expect(await call(OTHER_SECRET)).toEqual({ statusCode: 200 });
  await sleep(200_000);
  doubtSecret(URL_OF_CLIENT);
  expect(await call(OTHER_SECRET)).toEqual({ statusCode: 200 });
  const later = world();
  await later.sleep(200_000);
  expect(await later.call()).toEqual({ statusCode: 200 });
  await expect(later.call(OTHER_SECRET)).rejects.toThrow('No secret of its client');
});

test('an endpoint has taken what it was sent although its answer gets lost', async () => {
  const { call, receipts } = world([], { ...WELL, lostAnswer: 1 });
  expect(await call()).toEqual({ error: 'CONNECT' });
  expect(receipts).toHaveLength(1);
  expect(receipts[0]?.status).toBeUndefined();
});

test.each([
  ['HANGS', { error: 'TIMEOUT' }, 1],
  ['REFUSES_CONNECTIONS', { error: 'CONNECT' }, 0],
  ['GONE', { statusCode: 410 }, 1],
  ['OVERLOADED_FOR_SECONDS', { statusCode: 429, retryAfter: '900' }, 1],
] as const)('an endpoint that is like %s', async (manner, result, received) => {
  const { call, receipts } = world([{ from: START, manner }]);
  expect(await call()).toEqual(result);
  expect(receipts).toHaveLength(received);
});

test.each([
  ['NAME_LOST', 'DNS'],
  ['NAME_TURNED_INWARD', 'public'],
] as const)('the guard of the service lets no call go to an endpoint that is like %s', async (manner, reason) => {
  const { guardUrl } = world([{ from: START, manner }]);
  await expect(guardUrl(URL_OF_CLIENT)).rejects.toThrow(reason);
});
