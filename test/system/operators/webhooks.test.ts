import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deactivateWebhookContract,
  redriveDeliveriesContract,
  resendContract,
} from '#shared/webhooks/contract/webhook-commands.ts';
import { webhookAnswer } from '#shared/webhooks/contract/webhook-contract.ts';
import { eventually } from '#test/support/eventually.ts';
import { OffRampUser } from '#test/support/http-client.ts';
import { operate } from '#test/support/operator-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { type Subscriber, subscriber } from '#test/support/webhook-subscriber.ts';

let subscribers: Subscriber;
beforeAll(async () => {
  subscribers = await subscriber();
});
afterAll(() => subscribers.stop());

test('decisions 11, putting right: an operator has sent again what an endpoint was gone for, and deactivates it', async () => {
  const client = await newTenant('redriven');
  const webhook = await subscribers.subscribe(client, (_, nth) => ({ status: nth === 1 ? 410 : 204 }));
  const read = async () => webhookAnswer.parse(JSON.parse((await webhook.call('PATCH', '', {})).text));
  const operation = await new OffRampUser('POLYGON', client).create('12.5');
  const [request] = await webhook.requestsAbout(operation.id);
  const eventId = String(request?.headers['webhook-id']);
  const { id: deliveryId } = await webhook.delivery(eventId, ({ status }) => status === 'FAILED');
  // The result of an attempt is recorded for its delivery first, then for its webhook.
  await eventually(read, ({ status }) => !status);
  expect(await operate(resendContract, { deliveryId })).toMatchObject({
    status: 409,
    body: { code: 'WEBHOOK_INACTIVE' },
  });
  const { clientId } = client;
  const { webhookId } = webhook;

  await webhook.call('PATCH', '', { status: true });
  const redriven = await operate(redriveDeliveriesContract, { clientId, webhookId, since: operation.createdAt });
  expect([redriven.status, redriven.body]).toEqual([200, { webhookId, since: operation.createdAt }]);
  await webhook.delivery(eventId, ({ status }) => status === 'DELIVERED');
  expect((await operate(resendContract, { deliveryId })).body).toMatchObject({
    deliveryId,
    webhookId,
    status: 'PENDING',
  });
  await webhook.requestsAbout(operation.id, 3);

  const deactivated = await operate(deactivateWebhookContract, { clientId, webhookId });
  expect([deactivated.status, deactivated.body]).toEqual([
    200,
    { webhookId, status: false, statusReason: 'BY_OPERATOR' },
  ]);
  expect(await read()).toMatchObject({ status: false, statusReason: 'BY_OPERATOR' });
});
