import { describe, expect, test } from 'vitest';
import {
  deactivateWebhookContract,
  redriveDeliveriesContract,
  resendContract,
} from '#shared/webhooks/contract/webhook-commands.ts';
import { deliveryExpiry, newDelivery } from '#shared/webhooks/model/delivery.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { REFUSED_CALL } from '#test/support/call-summaries.ts';
import { eventOf } from '#test/support/events-in-memory.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { operatorsWorld } from '#test/support/operators-world.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const NOW = '2026-08-01T12:00:00.000Z';
const AN_HOUR_AGO = '2026-08-01T11:00:00.000Z';
const attempts = (count: number) => Array.from({ length: count }, () => [AN_HOUR_AGO, 'SCHEDULED', 500, 7]);
const failed = { status: 'FAILED', reason: 'EXHAUSTED', attempts: attempts(10), nextAttemptAt: undefined } as const;

/** A webhook, and a delivery to it an hour ago. */
function world(webhook = webhookOf(), differences = {}) {
  const made = operatorsWorld(NOW);
  const delivery = { ...newDelivery(eventOf('evt_1'), webhook, 'SCHEDULED', new Date(AN_HOUR_AGO)), ...differences };
  made.table('webhooks').put({ ...webhook });
  made.table('deliveries').put({ ...delivery, expiresAt: deliveryExpiry(new Date(AN_HOUR_AGO)) });
  const key = { clientId: CLIENT, webhookId: WEBHOOK };
  const { deliveryId } = delivery;
  return {
    ...made,
    key,
    deliveryId,
    webhook: () => made.table('webhooks').find(key),
    delivery: () => made.table('deliveries').find({ deliveryId }),
    results: () =>
      made
        .table('audit')
        .items()
        .flatMap(({ result }) => result ?? []),
  };
}

describe('decisions 11, putting right: resend', () => {
  test('makes a failed delivery now, begins its schedule again, and ends the parking', async () => {
    const { change, clock, delivery, deliveryId, deliveryMessages, dynamo } = world(webhookOf(), failed);
    const health = createWebhookHealthRepository(dynamo, 'webhookHealth', clock);
    for (const token of ['1', '2', '3', '4', '5']) await health.recordResult(webhookOf(), token, REFUSED_CALL);
    expect(await health.circuit(webhookOf())).toMatchObject({ state: 'OPEN' });
    const { status, body } = await change(resendContract, { deliveryId });
    const asked = { deliveryId, webhookId: WEBHOOK, clientId: CLIENT, status: 'PENDING', nextAttemptAt: NOW };
    expect([status, body]).toEqual([200, asked]);
    expect(delivery()).toMatchObject({ status: 'PENDING', trigger: 'MANUAL', attemptsMade: 0, attempts: attempts(10) });
    expect(deliveryMessages).toMatchObject([{ deliveryId, clientId: CLIENT, attempt: 11 }]);
    expect(await health.circuit(webhookOf())).toEqual({ state: 'CLOSED' });
  });

  test.each([
    ['one whose webhook is inactive', webhookOf({ status: false }), failed, [409, 'WEBHOOK_INACTIVE']],
    ['one with fifty attempts', webhookOf(), { ...failed, attempts: attempts(50) }, [409, 'TOO_MANY_ATTEMPTS']],
    ['one whose webhook was removed', webhookOf(), { ...failed, webhookId: STRANGER }, [404, 'WEBHOOK_NOT_FOUND']],
  ])('refuses %s, and asks for nothing', async (_, webhook, differences, refused) => {
    const { change, delivery, deliveryId, deliveryMessages, results } = world(webhook, differences);
    const before = delivery();
    const { status, body } = await change(resendContract, { deliveryId });
    expect([status, body.code]).toEqual(refused);
    expect([delivery(), deliveryMessages, results()]).toEqual([before, [], [refused[1]]]);
  });

  test('of an unknown delivery is 404', async () => {
    const { status, body } = await world().change(resendContract, { deliveryId: `dlv_${'0'.repeat(32)}` });
    expect([status, body.code]).toEqual([404, 'DELIVERY_NOT_FOUND']);
  });
});

describe('decisions 11, putting right: redrive-deliveries', () => {
  test('asks for a replay of events that did not arrive, of the last 14 days unless it is given a time', async () => {
    const { change, key, replayMessages } = world();
    const since = '2026-07-31T09:00:00-05:00';
    expect(await change(redriveDeliveriesContract, { ...key, since })).toMatchObject({
      status: 200,
      body: { webhookId: WEBHOOK, since: '2026-07-31T14:00:00.000Z' },
    });
    expect((await change(redriveDeliveriesContract, key)).body.since).toBe('2026-07-18T12:00:00.000Z');
    const period = { until: NOW, requestedAt: NOW, undeliveredOnly: true };
    expect(replayMessages).toEqual([
      { ...key, since: '2026-07-31T14:00:00.000Z', ...period },
      { ...key, since: '2026-07-18T12:00:00.000Z', ...period },
    ]);
  });

  test.each(['2026-07-18T11:59:59Z', '2026-08-01T12:00:01Z'])('refuses a time without events: %s', async (since) => {
    const { change, key, replayMessages } = world();
    const { status, body } = await change(redriveDeliveriesContract, { ...key, since });
    expect([status, body.errors]).toMatchObject([422, [{ path: 'body.arguments.since', code: 'OUT_OF_RANGE' }]]);
    expect(replayMessages).toEqual([]);
  });

  test('of an inactive webhook is 409, of an unknown one 404', async () => {
    const { change, key, replayMessages } = world(webhookOf({ status: false }));
    expect((await change(redriveDeliveriesContract, key)).body.code).toBe('WEBHOOK_INACTIVE');
    const foreign = await change(redriveDeliveriesContract, { ...key, clientId: STRANGER });
    expect([foreign.status, foreign.body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect(replayMessages).toEqual([]);
  });
});

describe('decisions 11, putting right: deactivate-webhook', () => {
  test('deactivates it, and its client reads that an operator did', async () => {
    const { change, key, webhook } = world();
    const { status, body } = await change(deactivateWebhookContract, key);
    expect([status, body]).toEqual([200, { webhookId: WEBHOOK, status: false, statusReason: 'BY_OPERATOR' }]);
    const deactivation = { status: false, statusReason: 'BY_OPERATOR', deactivatedAt: NOW };
    expect(webhook()).toEqual({ ...webhookOf(), ...deactivation, sequence: 2 });
  });

  test('changes nothing of an inactive webhook', async () => {
    const inactive = webhookOf({ status: false, statusReason: 'ENDPOINT_GONE' });
    const { change, key, webhook } = world(inactive);
    expect((await change(deactivateWebhookContract, key)).body.statusReason).toBe('ENDPOINT_GONE');
    expect(webhook()).toEqual({ ...inactive });
  });

  test('keeps what its client changes at the same moment', async () => {
    const { change, key, webhook, beforeNextWrite, table } = world();
    const url = 'https://hooks.example.com/new';
    beforeNextWrite('webhooks', () => table('webhooks').put({ ...webhookOf(), url, sequence: 2 }));
    expect((await change(deactivateWebhookContract, key)).status).toBe(200);
    expect(webhook()).toMatchObject({ url, status: false, statusReason: 'BY_OPERATOR', sequence: 3 });
  });

  test('of another client or an unknown one is 404', async () => {
    const { change, key, webhook } = world();
    for (const other of [
      { ...key, clientId: STRANGER },
      { ...key, webhookId: STRANGER },
    ]) {
      const { status, body } = await change(deactivateWebhookContract, other);
      expect([status, body.code]).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    }
    expect(webhook()).toEqual({ ...webhookOf() });
  });
});
