import { describe, expect, test } from 'vitest';
import { updateWebhook } from '#functions/webhooks/update-webhook/update-webhook.ts';
import { ConflictPersists } from '#shared/platform/dynamodb/transaction.ts';
import { updateWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { TooManyWebhooks } from '#shared/webhooks/store/webhook-repository.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { guardWithoutDns } from '#test/support/guard-without-dns.ts';
import { healthInMemory, openCircuitIn } from '#test/support/health-in-memory.ts';
import { CLIENT, STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const LATER = '2026-08-05T08:00:00.000Z';
const OTHER_URL = 'https://hooks.example.com/other';

function world(...stored: readonly Webhook[]) {
  const webhooks = webhooksInMemory(...(stored.length > 0 ? stored : [webhookOf()]));
  const clock = fakeClock(LATER);
  const health = healthInMemory(clock);
  const changeWebhook = webhooks.change;
  const useCase = updateWebhook({ webhooks, changeWebhook, health, guardUrl: guardWithoutDns, clock });
  const update = (body: unknown, path: Record<string, string> = {}) =>
    useCase(routeCall(updateWebhookContract, path, body));
  return { webhooks, health, update };
}

const inactive = webhookOf({ status: false, sequence: 2 });

describe('interface 3.4, decisions 7: reactivating', () => {
  test('is active again with its configuration kept, from now on', async () => {
    const { webhooks, update } = world({
      ...inactive,
      statusReason: 'ENDPOINT_GONE',
      deactivatedAt: inactive.createdAt,
    });
    const { body } = await update({ status: true });
    expect(body).toEqual({
      id: WEBHOOK,
      method: inactive.method,
      process: inactive.process,
      status: true,
      url: inactive.url,
      userId: inactive.userId,
    });
    expect(webhooks.kept()).toEqual({ ...inactive, status: true, activeSince: LATER, sequence: 3 });
  });

  test('decisions 7, how many: not beside ten active ones of its process, and each that is deactivated makes room', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => webhookOf({ webhookId: `active ${index}` }));
    const { webhooks, update } = world(inactive, ...ten);
    const error = await expectApiError(() => update({ status: true, url: OTHER_URL }));
    expect(error).toMatchObject({
      status: 409,
      code: 'TOO_MANY_WEBHOOKS',
      message: expect.stringMatching(/10 active/),
    });
    expect(webhooks.kept()).toEqual(inactive);
    const deactivated = await webhooks.change(webhookOf({ webhookId: 'active 0' }), { status: false });
    expect((await update({ status: true })).body.status).toBe(true);
    await expect(webhooks.change(deactivated, { status: true })).rejects.toBeInstanceOf(TooManyWebhooks);
  });

  test('status false is refused: DELETE deactivates', async () => {
    const { webhooks, update } = world();
    const error = await expectApiError(() => update({ status: false }));
    expect(error).toMatchObject({ status: 422, errors: [{ path: 'body.status', code: 'NOT_ALLOWED' }] });
    expect(webhooks.kept()?.status).toBe(true);
  });
});

describe('decisions 7, managing: changing', () => {
  test('covers url and method, and nothing else', async () => {
    const { webhooks, update } = world();
    const ignored = { process: 'compliance', userId: STRANGER, id: STRANGER, secrets: [], sequence: 9 };
    const { body } = await update({ url: OTHER_URL, method: 'PUT', ...ignored });
    expect(body).toMatchObject({ url: OTHER_URL, method: 'PUT', process: 'ramp' });
    expect(webhooks.kept()).toEqual({ ...webhookOf(), url: OTHER_URL, method: 'PUT', sequence: 2 });
  });

  test('an inactive webhook is changed without being reactivated', async () => {
    const { webhooks, update } = world(inactive);
    expect((await update({ url: OTHER_URL })).body).toMatchObject({ status: false, url: OTHER_URL });
    expect(webhooks.kept()?.activeSince).toBe(inactive.activeSince);
  });

  test.each([{}, { url: webhookOf().url, method: 'POST' }])('%j changes nothing and writes nothing', async (body) => {
    const { webhooks, update } = world();
    expect((await update(body)).body).toMatchObject({ id: WEBHOOK, url: webhookOf().url });
    expect(webhooks.writes()).toBe(0);
  });

  test('a changed webhook is no longer parked; an unchanged one is parked as before', async () => {
    const { health, update } = world();
    const parkedUntil = await openCircuitIn(health, webhookOf());
    expect((await update({ url: webhookOf().url })).body).toMatchObject({ parkedUntil });
    expect((await update({ url: OTHER_URL })).body).not.toHaveProperty('parkedUntil');
    expect((await update({ url: OTHER_URL })).body).not.toHaveProperty('parkedUntil');
  });

  test.each([
    [{ url: 'https://10.0.0.1/' }, 'HOST_NOT_PUBLIC'],
    [{ url: 'https://localhost/' }, 'HOST_NOT_PUBLIC'],
    [{ url: 'http://example.com/' }, 'NOT_ALLOWED'],
    [{ url: 'https://example.com/ä' }, 'INVALID_FORMAT'],
    [{ url: null }, 'INVALID_TYPE'],
    [{ method: 'TRACE' }, 'NOT_ALLOWED'],
    [{ status: 'true' }, 'INVALID_TYPE'],
    [{ status: false }, 'NOT_ALLOWED'],
  ])('%j is refused like at registration', async (body, code) => {
    const { webhooks, update } = world();
    expect(await expectApiError(() => update(body))).toMatchObject({ status: 422, errors: [{ code }] });
    expect(webhooks.writes()).toBe(0);
  });

  test('is answered as made when the pause of its webhook cannot be ended now', async () => {
    const { webhooks, health, update } = world();
    health.applyChange = () => Promise.reject(new ConflictPersists('The health of the webhook changed meanwhile.'));
    expect((await update({ url: OTHER_URL })).body).toMatchObject({ url: OTHER_URL });
    expect(webhooks.kept()?.url).toBe(OTHER_URL);
  });

  test('what others write meanwhile is kept: it is decided again', async () => {
    const { webhooks, update } = world(inactive);
    webhooks.meanwhile({ secrets: [{ ciphertext: 'rotated' }] }, { url: OTHER_URL });
    expect((await update({ status: true })).body).toMatchObject({ status: true, url: OTHER_URL });
    expect(webhooks.kept()).toMatchObject({ secrets: [{ ciphertext: 'rotated' }], sequence: 5 });
  });

  test('the client is checked first, then the webhook, then the body', async () => {
    const { update } = world();
    const path = { webhook_id: STRANGER };
    expect((await expectApiError(() => update({ url: 7 }, { ...path, clientId: STRANGER }))).code).toBe('FORBIDDEN');
    expect((await expectApiError(() => update({ url: 7 }, { webhook_id: 'x', clientId: STRANGER }))).code).toBe(
      'FORBIDDEN',
    );
    expect((await expectApiError(() => update({ url: 7 }, path))).code).toBe('WEBHOOK_NOT_FOUND');
    expect((await expectApiError(() => update({ url: 7 }, { webhook_id: 'x' }))).code).toBe('WEBHOOK_NOT_FOUND');
    expect((await expectApiError(() => update({ url: 7 }))).code).toBe('VALIDATION_FAILED');
  });

  test('another client’s webhook does not exist', async () => {
    const { webhooks, update } = world(webhookOf({ clientId: STRANGER }));
    expect((await expectApiError(() => update({ method: 'PUT' }, { clientId: CLIENT }))).code).toBe(
      'WEBHOOK_NOT_FOUND',
    );
    expect(webhooks.writes()).toBe(0);
  });
});
