import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import {
  replayEventsContract,
  resendDeliveryContract,
  testWebhookContract,
} from '#shared/webhooks/contract/delivery-contract.ts';
import {
  callAs,
  demoClient,
  type HttpAnswer,
  OffRampUser,
  type Operation,
  problemOf,
} from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { hasValidSignature } from '#test/support/verify-webhook.ts';
import { type Subscriber, type Subscription, subscriber } from '#test/support/webhook-subscriber.ts';

const second = demoClient('second');

let clientsEndpoints: Subscriber;

/** The only webhook of a client, and a user whose operations cause its events. */
interface Subscribed extends Subscription {
  readonly client: DemoClient;
  readonly user: OffRampUser;
}

async function subscribe(script?: Parameters<Subscriber['subscribe']>[1]): Promise<Subscribed> {
  const client = await newTenant('subscriber');
  const webhook = await clientsEndpoints.subscribe(client, script);
  return { ...webhook, client, user: new OffRampUser('POLYGON', client) };
}

beforeAll(async () => {
  clientsEndpoints = await subscriber();
});

afterAll(() => clientsEndpoints.stop());

const errorOf = (answer: HttpAnswer) => [problemOf(answer).status, problemOf(answer).code];
const resent = (answer: HttpAnswer) => resendDeliveryContract.success.body.parse(JSON.parse(answer.text));
const triggersOf = ({ attempts }: { attempts: readonly { trigger: string }[] }) =>
  attempts.map(({ trigger }) => trigger);

/** Returns an event that reached the webhook: its operation, its id, and its delivery once an attempt is logged. */
async function eventAt(webhook: Subscribed, created?: Operation) {
  const operation = created ?? (await webhook.user.create());
  const [request] = await webhook.requestsAbout(operation.id);
  const eventId = request?.headers['webhook-id'] ?? '';
  const delivery = await webhook.delivery(eventId, ({ attempts }) => attempts.length > 0);
  return { operation, eventId, delivery };
}

/** An event whose first attempt is answered with a status, and the others with 204. */
async function failedAt(status: number) {
  const webhook = await subscribe((_, nth) => ({ status: nth === 1 ? status : 204 }));
  return { webhook, ...(await eventAt(webhook)) };
}

describe('decisions 7: a test send', () => {
  const tested = (answer: HttpAnswer) => testWebhookContract.success.body.parse(JSON.parse(answer.text));

  test('arrives signed while the client waits, and is not stored', async () => {
    const webhook = await subscribe(() => ({ status: 202, body: 'thanks' }));
    const answer = await webhook.call('POST', '/test');
    expect([answer.status, tested(answer)]).toEqual([
      200,
      { delivered: true, statusCode: 202, durationMs: expect.any(Number) },
    ]);
    const [request] = webhook.received().filter(({ body }) => body.includes('webhook.test'));
    expect(JSON.parse(request?.body.toString() ?? '')).toEqual({
      type: 'webhook.test',
      timestamp: expect.any(String),
      data: { webhookId: webhook.webhookId },
    });
    expect(request?.headers['webhook-id']).toMatch(/^test_[0-9a-f-]{36}$/);
    expect(hasValidSignature(webhook.secret, request?.headers ?? {}, request?.body ?? '')).toBe(true);
    const { deliveries } = await webhook.page('?limit=100');
    expect(deliveries.map(({ type }) => type)).not.toContain('webhook.test');
  });
});

describe('decisions 7: the delivery log', () => {
  test('shows every attempt of an event, which all had one id and one body', async () => {
    const { webhook, operation, eventId } = await failedAt(503);
    const delivery = await webhook.delivery(eventId, ({ status }) => status === 'DELIVERED');
    expect(delivery).toEqual({
      id: expect.stringMatching(/^dlv_[0-9a-f]{32}$/),
      eventId,
      type: 'ramp.operation.status_changed',
      status: 'DELIVERED',
      createdAt: expect.any(String),
      attempts: [503, 204].map((statusCode) => ({
        at: expect.any(String),
        trigger: 'SCHEDULED',
        statusCode,
        durationMs: expect.any(Number),
      })),
    });
    const requests = await webhook.requestsAbout(operation.id, 2);
    expect(requests).toHaveLength(2);
    expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([eventId]));
    expect(new Set(requests.map(({ body }) => body.toString())).size).toBe(1);
    for (const { headers, body } of requests) expect(hasValidSignature(webhook.secret, headers, body)).toBe(true);
  });
});

describe('decisions 7: resending', () => {
  test('two calls with one idempotency key are one POST, at once or one after the other', async () => {
    const webhook = await subscribe();
    const { operation, eventId, delivery } = await eventAt(webhook);
    const key = { 'Idempotency-Key': randomUUID() };
    const resend = () => webhook.call('POST', `/deliveries/${delivery.id}/resend`, undefined, key);
    const answers = await Promise.all([resend(), resend()]);
    const done = await webhook.delivery(
      eventId,
      ({ status, attempts }) => status === 'DELIVERED' && attempts.length > 1,
    );
    const again = await resend();
    for (const answer of answers.filter(({ status }) => status !== 202)) {
      expect(errorOf(answer)).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    }
    expect(answers.map(({ status }) => status)).toContain(202);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([202, 'true']);
    expect(resent(again).status).toBe('PENDING');
    await sleep(5_000);
    expect(triggersOf(done)).toEqual(['SCHEDULED', 'MANUAL']);
    expect(await webhook.requestsAbout(operation.id)).toHaveLength(2);
  });
});

describe('decisions 7: a replay', () => {
  const replay = (webhook: Subscription, since: string) => webhook.call('POST', '/replay', { since });

  test('delivers the events from while the webhook was inactive, which a reactivation does not', async () => {
    const webhook = await subscribe();
    const since = new Date().toISOString();
    await webhook.call('DELETE', '');
    const missed = await webhook.user.create();
    await sleep(1_000);
    await webhook.call('PATCH', '', { status: true });
    const { operation } = await eventAt(webhook);
    expect(webhook.received().filter(({ body }) => body.includes(missed.id))).toEqual([]);
    const answer = await replay(webhook, since);
    expect([answer.status, replayEventsContract.success.body.parse(JSON.parse(answer.text))]).toEqual([202, { since }]);
    const [brought] = await webhook.requestsAbout(missed.id);
    const done = await webhook.delivery(brought?.headers['webhook-id'] ?? '', ({ attempts }) => attempts.length > 0);
    expect([done.status, triggersOf(done)]).toEqual(['DELIVERED', ['REPLAY']]);
    const twice = await webhook.requestsAbout(operation.id, 2);
    expect(new Set(twice.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });
});

describe('decisions 1: who may', () => {
  const NO_DELIVERY = `dlv_${'0'.repeat(32)}`;
  const changing = (path: string, deliveryId = NO_DELIVERY) =>
    [
      ['POST', `${path}/test`, undefined],
      ['POST', `${path}/replay`, { since: new Date().toISOString() }],
      ['POST', `${path}/deliveries/${deliveryId}/resend`, undefined],
    ] as const;
  const errorsOf = (of: DemoClient, path: string, deliveryId?: string) =>
    Promise.all(
      changing(path, deliveryId).map(async ([method, each, body]) => errorOf(await callAs(of, method, each, body))),
    );

  test('another client’s webhook and delivery do not exist', async () => {
    const mine = await subscribe();
    const other = await clientsEndpoints.subscribe(mine.client);
    const { delivery } = await eventAt(mine);
    const foreign = `/api/webhooks/${second.clientId}/${mine.webhookId}`;
    const notFound = [404, 'WEBHOOK_NOT_FOUND'];
    expect(await errorsOf(second, foreign, delivery.id)).toEqual([notFound, notFound, notFound]);
    expect(errorOf(await callAs(second, 'GET', `${foreign}/deliveries`))).toEqual(notFound);
    const forbidden = [403, 'FORBIDDEN'];
    expect(await errorsOf(second, mine.path, delivery.id)).toEqual([forbidden, forbidden, forbidden]);
    expect(errorOf(await callAs(second, 'GET', `${mine.path}/deliveries`))).toEqual(forbidden);
    for (const id of [delivery.id, NO_DELIVERY, 'x', 'x'.repeat(3000)]) {
      const answer = await other.call('POST', `/deliveries/${id}/resend`);
      expect(errorOf(answer)).toEqual([404, 'DELIVERY_NOT_FOUND']);
    }
    expect(errorOf(await other.call('GET', `/deliveries?cursor=${delivery.id}`))).toEqual([422, 'VALIDATION_FAILED']);
  });
});
