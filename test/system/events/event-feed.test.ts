import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectedAs } from '#test/support/connected.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, OffRampUser, problemOf } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, subscriber } from '#test/support/webhook-subscriber.ts';

/** The reads by which a client makes sure that it has missed no event, on the deployed stack. */

// A client for each test: the tests run at the same time, and must not see each other's events.
const [client, lister, stranger] = await Promise.all(['reader', 'lister', 'stranger'].map(newTenant));
if (client === undefined || lister === undefined || stranger === undefined) throw new Error('A tenant is missing.');

let endpoints: Subscriber;
beforeAll(async () => {
  endpoints = await subscriber();
});
afterAll(() => endpoints.stop());

const codeOf = async (path: string, as = client) => {
  const { status, code } = problemOf(await callAs(as, 'GET', path));
  return [status, code];
};

test('decisions 14, event feed, delivery bodies: what a webhook was sent is in the feed, is read by its id, and is shown by its delivery', async () => {
  const [user, call] = [new OffRampUser('POLYGON', client), connectedAs(client)];
  const webhook = await endpoints.subscribe(client);
  const { body: empty } = await call('GET /api/v1/events');
  const operation = await user.create();
  const [request] = await webhook.requestsAbout(operation.id);
  const [eventId, body] = [request?.headers['webhook-id'] ?? '', request?.body.toString() ?? ''];
  const read = async () => (await call('GET /api/v1/events', { query: { after: empty.nextCursor, limit: 1 } })).body;
  const page = await eventually(read, ({ events }) => events.length > 0);
  const event = { id: eventId, ...JSON.parse(body) };
  expect(page).toEqual({ ...page, events: [event], nextCursor: expect.any(String), hasMore: false });
  const { body: rest } = await call('GET /api/v1/events', { query: { after: page.nextCursor } });
  expect(rest).toMatchObject({ events: [], hasMore: false });
  expect((await call('GET /api/v1/events/{event_id}', { path: { event_id: eventId } })).body).toEqual(event);
  const delivery = await webhook.delivery(eventId, ({ status }) => status === 'DELIVERED');
  const shown = await call('GET /api/webhooks/{clientId}/{webhook_id}/deliveries/{delivery_id}', {
    path: { clientId: client.clientId, webhook_id: webhook.webhookId, delivery_id: delivery.id },
  });
  expect(shown.body).toEqual({ ...delivery, body });
  expect(await codeOf(`/api/v1/events/${eventId}`, stranger)).toEqual([404, 'EVENT_NOT_FOUND']);
  expect(await codeOf(`/api/v1/events?after=${page.nextCursor}`, stranger)).toEqual([422, 'VALIDATION_FAILED']);
});

test('decisions 14, lists over all users: off-ramps and pay-ins, users and their wallets', async () => {
  const [user, call] = [new OffRampUser('POLYGON', lister), connectedAs(lister)];
  const externalReference = 'of whomever';
  const order = { path: { user_id: user.userId }, body: { ...user.order(), externalReference } };
  const { operation } = (await call('POST /api/v1/admin/operation/{user_id}/withdrawal', order)).body;
  const found = await eventually(
    async () => (await call('GET /api/v1/admin/withdrawals', { query: { externalReference } })).body.operations,
    ({ length }) => length > 0,
  );
  expect(found).toMatchObject([{ id: operation.id, userId: user.userId, status: 'AWAITING_DEPOSIT' }]);
  const awaiting = await call('GET /api/v1/admin/withdrawals', { query: { status: 'AWAITING_DEPOSIT', limit: 1 } });
  expect(awaiting.body.operations).toHaveLength(1);
  expect((await call('GET /api/v1/admin/payins')).body).toEqual({ payins: [] });
  const { users } = (await call('GET /api/v1/admin/users')).body;
  expect(users.map(({ id }) => id)).toContain(user.userId);
  const { wallets } = (await call('GET /api/v1/admin/users/{user_id}/wallets', { path: { user_id: user.userId } }))
    .body;
  expect(wallets).toContainEqual(user.wallet);
  expect(await codeOf(`/api/v1/admin/users/${user.userId}/wallets`, stranger)).toEqual([404, 'USER_NOT_FOUND']);
  expect(await codeOf(`/api/v1/admin/withdrawals?cursor=${operation.id}`, stranger)).toEqual([
    422,
    'VALIDATION_FAILED',
  ]);
});

test.each([
  '/api/v1/events?since=2026-11-21',
  '/api/v1/events/evt_x?full=true',
  '/api/v1/admin/withdrawals?statsu=PENDING',
  '/api/v1/admin/payins?user=x',
  '/api/v1/admin/users?name=Ana',
  '/api/parameters/banks?active=true',
])('decisions 14, query parameters: %s is 422', async (path) => {
  expect(await codeOf(path)).toEqual([422, 'VALIDATION_FAILED']);
});
