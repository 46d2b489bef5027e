import { describe, expect, test } from 'vitest';
import { testWebhook } from '#functions/webhooks/test-webhook/test-webhook.ts';
import { testWebhookContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { webhookTest } from '#shared/webhooks/contract/webhook-events.ts';
import type { Attempt } from '#shared/webhooks/http-client/send-event.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { healthInMemory, openCircuitIn } from '#test/support/health-in-memory.ts';
import { STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const NOW = '2026-11-21T12:00:00.000Z';

function world(outcome: Partial<Attempt>, webhook: Webhook = webhookOf()) {
  const clock = fakeClock(NOW);
  const health = healthInMemory(clock);
  const sent: { readonly webhook: Webhook; readonly event: { readonly eventId: string; readonly body: string } }[] = [];
  const useCase = testWebhook({
    webhooks: webhooksInMemory(webhook),
    sendEvent: async (to, event) => {
      sent.push({ webhook: to, event });
      return { at: NOW, durationMs: 42, ...outcome };
    },
    health,
    clock,
    newId: () => '77777777-7777-4777-8777-777777777777',
  });
  const send = async (path: Record<string, string> = {}) => {
    const { body } = await useCase(routeCall(testWebhookContract, path));
    return testWebhookContract.success.body.parse(body);
  };
  return { sent, send, health, webhook };
}

describe('decisions 7: a test send', () => {
  test('is one webhook.test event, to the webhook as it is', async () => {
    const webhook = webhookOf({ method: 'PUT' });
    const { sent, send } = world({ statusCode: 204 }, webhook);
    await send();
    expect(sent.map(({ webhook: to, event }) => [to, event.eventId])).toEqual([
      [webhook, 'test_77777777-7777-4777-8777-777777777777'],
    ]);
    const body: unknown = JSON.parse(sent[0]?.event.body ?? '');
    expect(body).toEqual({ type: 'webhook.test', timestamp: NOW, data: { webhookId: WEBHOOK } });
    expect(webhookTest.parse(body)).toEqual(body);
  });

  test.each<[Partial<Attempt>, boolean]>([
    [{ statusCode: 200 }, true],
    [{ statusCode: 299 }, true],
    [{ statusCode: 199 }, false],
    [{ statusCode: 301 }, false],
    [{ statusCode: 410 }, false],
    [{ statusCode: 500 }, false],
    [{ error: 'TIMEOUT' }, false],
  ])('that ends with %j is delivered or not: %j', async (outcome, delivered) => {
    expect(await world(outcome).send()).toEqual({ delivered, ...outcome, durationMs: 42 });
  });

  test('says no more of a blocked address than that it is one', async () => {
    const { send } = world({ error: 'BLOCKED', isUrlBlocked: true, retryAfter: '5' });
    expect(await send()).toEqual({ delivered: false, error: 'BLOCKED', durationMs: 42 });
  });

  test('that arrives ends the parking', async () => {
    const { health, send, webhook } = world({ statusCode: 204 });
    await openCircuitIn(health, webhook);
    await send();
    expect(await health.circuit(webhook)).toEqual({ state: 'CLOSED' });
  });

  test('that does not arrive leaves the webhook parked, for no longer than it was', async () => {
    const { health, send, webhook } = world({ statusCode: 500 });
    const until = await openCircuitIn(health, webhook);
    await send();
    expect(await health.circuit(webhook)).toEqual({ state: 'OPEN', until });
  });

  test('to an inactive webhook is 409, and nothing is sent', async () => {
    const { sent, send } = world({ statusCode: 200 }, webhookOf({ status: false }));
    expect(await expectApiError(() => send())).toMatchObject({ status: 409, code: 'WEBHOOK_INACTIVE' });
    expect(sent).toEqual([]);
  });

  test.each([
    [{ clientId: STRANGER }, 'FORBIDDEN'],
    [{ webhook_id: STRANGER }, 'WEBHOOK_NOT_FOUND'],
    [{ webhook_id: 'x' }, 'WEBHOOK_NOT_FOUND'],
  ])('%j is %s, and nothing is sent', async (path, code) => {
    const { sent, send } = world({ statusCode: 200 });
    expect((await expectApiError(() => send(path))).code).toBe(code);
    expect(sent).toEqual([]);
  });
});
