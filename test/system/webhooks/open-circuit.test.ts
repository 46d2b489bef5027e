import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { resendDeliveryContract, testWebhookContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { listWebhooksContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, OffRampUser } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { failsAt } from '#test/support/webhook-outage.ts';
import { type Subscriber, type Subscription, subscriber } from '#test/support/webhook-subscriber.ts';

const { dynamo } = deployedParts();
const HALF_AN_HOUR = 30 * 60 * 1000;

let clientsEndpoints: Subscriber;

beforeAll(async () => {
  clientsEndpoints = await subscriber();
});

afterAll(() => clientsEndpoints.stop());

async function parkedUntil(client: DemoClient): Promise<string | undefined> {
  const { text } = await callAs(client, 'GET', `/api/webhooks/${client.clientId}`);
  return listWebhooksContract.success.body.parse(JSON.parse(text))[0]?.parkedUntil;
}

/** Has the outage last: probes that failed later and later, as they would, until nothing is due for hours. */
function outageLasts(client: DemoClient, webhook: Subscription): Promise<void> {
  const now = Date.now();
  return failsAt(
    dynamo,
    client,
    webhook,
    [1, 2, 3, 4, 5, 6].map((later) => now + later * HALF_AN_HOUR),
  );
}

/** A client whose only webhook is parked, because its endpoint is down; with what has waited for it the longest. */
async function downWithOpenCircuit() {
  const endpoint = { status: 503 };
  const client = await newTenant('parked');
  const webhook = await clientsEndpoints.subscribe(client, () => endpoint);
  const user = new OffRampUser('POLYGON', client);
  await Promise.all([1, 2, 3, 4, 5, 6].map(() => user.create()));
  await eventually(
    () => parkedUntil(client),
    (until) => until !== undefined,
    120,
  );
  await outageLasts(client, webhook);
  const until = (await parkedUntil(client)) ?? '';
  const waiting = await user.create();
  const delivery = await eventually(
    async () => (await webhook.page('?limit=1')).deliveries[0],
    (found) => found !== undefined && found.attempts.length === 0 && (found.nextAttemptAt ?? '') >= until,
    120,
  );
  if (delivery === undefined) throw new Error('Nothing waits for the webhook.');
  return { endpoint, client, webhook, user, waiting, delivery };
}

describe('decisions 7, parked: once the endpoint is there again', () => {
  test('a resend is delivered at once and ends the parking, for what happens afterwards too', async () => {
    const { endpoint, client, webhook, user, waiting, delivery } = await downWithOpenCircuit();
    expect(webhook.received().filter(({ body }) => body.includes(waiting.id))).toEqual([]);
    endpoint.status = 204;
    const answer = await webhook.call('POST', `/deliveries/${delivery.id}/resend`);
    expect(resendDeliveryContract.success.body.parse(JSON.parse(answer.text)).status).toBe('PENDING');
    const done = await webhook.delivery(delivery.eventId, ({ status }) => status === 'DELIVERED');
    expect(done.attempts.map(({ trigger }) => trigger)).toEqual(['MANUAL']);
    // The result of an attempt is recorded for its delivery first, then for its webhook.
    await eventually(
      () => parkedUntil(client),
      (until) => until === undefined,
    );
    const afterwards = await user.create();
    expect(await webhook.toldOf(afterwards.id)).toHaveLength(1);
  });

  test('a test event that arrives ends the parking; one that does not leaves it as it is', async () => {
    const { endpoint, client, webhook, user } = await downWithOpenCircuit();
    const sendTest = async () =>
      testWebhookContract.success.body.parse(JSON.parse((await webhook.call('POST', '/test')).text)).delivered;
    const until = await parkedUntil(client);
    expect(await sendTest()).toBe(false);
    expect(await parkedUntil(client)).toBe(until);
    endpoint.status = 204;
    expect(await sendTest()).toBe(true);
    expect(await parkedUntil(client)).toBeUndefined();
    const afterwards = await user.create();
    expect(await webhook.toldOf(afterwards.id)).toHaveLength(1);
  });
});
