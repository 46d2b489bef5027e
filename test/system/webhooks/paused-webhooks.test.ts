import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { DemoClient } from '#infra/cli/local-outputs.ts';
import { testWebhookContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { listWebhooksContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { eventually } from '#test/support/eventually.ts';
import { callAs, OffRampUser } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { failsAt } from '#test/support/webhook-outage.ts';
import { type Subscriber, type Subscription, subscriber } from '#test/support/webhook-subscriber.ts';

/**
 * Writes to the health table stand for the passing of a day, half an hour and three minutes; the deployed sweep, which
 * runs each minute, does the rest.
 */

const { dynamo } = deployedParts();
const TableName = inject('stack')['webhookHealthTable'] ?? '';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE).toISOString();

let clientsEndpoints: Subscriber;

beforeAll(async () => {
  clientsEndpoints = await subscriber();
});

afterAll(() => clientsEndpoints.stop());

/** A client with a webhook whose circuit has been open for 24 hours, and another webhook that receives all events. */
async function paused() {
  const endpoint = { status: 503 };
  const client = await newTenant('paused');
  const webhook = await clientsEndpoints.subscribe(client, () => endpoint);
  const other = await clientsEndpoints.subscribe(client);
  const now = Date.now();
  const opened = now - 24 * HOUR;
  const times = [
    ...[4, 3, 2, 1, 0].map((before) => opened - before),
    ...[2, 6, 12, 18, 23].map((h) => opened + h * HOUR),
  ];
  await failsAt(dynamo, client, webhook, times);
  await probed(webhook, 0);
  const user = new OffRampUser('POLYGON', client);
  /** Causes an event that every webhook receives unless it is paused. */
  const happen = async () => {
    const { id } = await user.create();
    await other.requestsAbout(id);
    return id;
  };
  return { endpoint, client, webhook, happen, pausedAt: new Date(now).toISOString() };
}

async function pausedSince(client: DemoClient, { webhookId }: Subscription): Promise<string | undefined> {
  const { text } = await callAs(client, 'GET', `/api/webhooks/${client.clientId}`);
  const webhooks = listWebhooksContract.success.body.parse(JSON.parse(text));
  return webhooks.find(({ id }) => id === webhookId)?.deliveriesPausedAt;
}

const ended = (client: DemoClient, webhook: Subscription) =>
  eventually(
    () => pausedSince(client, webhook),
    (since) => since === undefined,
  );

/** Sets the time of the last probe to this many minutes ago. */
const probed = ({ webhookId }: Subscription, minutes: number) =>
  dynamo.send(
    new UpdateCommand({
      ...{ TableName, Key: { webhookId } },
      // A function that read the item before this write cannot write it, and has to read it again.
      UpdateExpression: 'SET probedAt = :at, dueAt = :due, version = version + :one',
      ConditionExpression: 'attribute_exists(openSince)',
      ExpressionAttributeValues: { ':at': ago(minutes), ':due': ago(minutes - 30), ':one': 1 },
    }),
  );

const threeMinutesPass = ({ webhookId }: Subscription) =>
  dynamo.send(
    new UpdateCommand({
      ...{ TableName, Key: { webhookId } },
      UpdateExpression: 'SET missed.replayAt = :now, dueAt = :now, version = version + :one',
      ConditionExpression: 'attribute_exists(missed)',
      ExpressionAttributeValues: { ':now': ago(0), ':one': 1 },
    }),
  );

const tests = ({ received }: Subscription) =>
  received().filter(({ body }) => JSON.parse(body.toString()).type === 'webhook.test');

/** Every call about the operation. */
const calls = ({ received }: Subscription, operationId: string) =>
  received().filter(({ body }) => body.includes(operationId));

describe('decisions 10: a webhook whose circuit has been open for 24 hours', () => {
  test('is no longer paused once such a test is answered with 2xx', async () => {
    const { endpoint, client, webhook, happen } = await paused();
    const missed = await happen();
    endpoint.status = 204;
    await probed(webhook, 30);
    await ended(client, webhook);
    expect(tests(webhook)).toHaveLength(1);
    const afterwards = await happen();
    expect(await webhook.requestsAbout(afterwards)).toHaveLength(1);
    // The missed event is sent three minutes later.
    expect(calls(webhook, missed)).toEqual([]);
  });
});

describe('decisions 10: three minutes after the end of a pause', () => {
  test('missed events are sent once, and no event twice', async () => {
    const { endpoint, client, webhook, happen } = await paused();
    const missed = [await happen(), await happen()];
    endpoint.status = 204;
    const { text } = await webhook.call('POST', '/test');
    expect(testWebhookContract.success.body.parse(JSON.parse(text)).delivered).toBe(true);
    await ended(client, webhook);
    const afterwards = await happen();
    await webhook.requestsAbout(afterwards);
    expect(missed.flatMap((id) => calls(webhook, id))).toEqual([]);
    await threeMinutesPass(webhook);
    for (const id of missed) await webhook.requestsAbout(id);
    const deliveries = await eventually(
      async () => (await webhook.page()).deliveries,
      (found) => found.every(({ status }) => status === 'DELIVERED'),
    );
    expect(deliveries).toHaveLength(3);
    for (const id of [...missed, afterwards]) expect(calls(webhook, id)).toHaveLength(1);
  });
});
