import { describe, expect, test } from 'vitest';
import { deactivateWebhook } from '#functions/webhooks/deactivate-webhook/deactivate-webhook.ts';
import { deactivateWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

function world(webhook = webhookOf()) {
  const webhooks = webhooksInMemory(webhook);
  const useCase = deactivateWebhook({ webhooks, changeWebhook: webhooks.change, clock: fakeClock(CREATED_AT) });
  const deactivate = (path: Record<string, string> = {}) => useCase(routeCall(deactivateWebhookContract, path));
  return { webhooks, deactivate };
}

describe('interface 4.7: deactivating', () => {
  test('answers the webhook with status false and keeps its configuration', async () => {
    const { webhooks, deactivate } = world();
    const { url, method, process, userId } = webhookOf();
    expect((await deactivate()).body).toEqual({ id: WEBHOOK, url, method, process, userId, status: false });
    expect(webhooks.kept()).toEqual({ ...webhookOf(), status: false, sequence: 2 });
  });

  test('twice answers the same and writes once', async () => {
    const { webhooks, deactivate } = world();
    expect(await deactivate()).toEqual(await deactivate());
    expect(webhooks.writes()).toBe(1);
  });

  test('keeps what others write meanwhile, as it is decided again', async () => {
    const { webhooks, deactivate } = world();
    webhooks.meanwhile({ method: 'PUT' });
    expect((await deactivate()).body).toMatchObject({ status: false, method: 'PUT' });
  });

  test('decisions 10, conflicts of a caller with itself: one that does not end is 409, with when to try again', async () => {
    const { webhooks, deactivate } = world();
    webhooks.meanwhile(...Array.from({ length: 1000 }, () => ({ url: 'https://other.example/' })));
    const error = await expectApiError(() => deactivate());
    expect(error).toMatchObject({ code: 'CONCURRENT_CHANGE', retryAfterSeconds: 1 });
    expect(webhooks.kept()?.status).toBe(true);
  });

  test.each([
    [{ clientId: STRANGER }, 'FORBIDDEN'],
    [{ webhook_id: STRANGER }, 'WEBHOOK_NOT_FOUND'],
    [{ webhook_id: 'x' }, 'WEBHOOK_NOT_FOUND'],
  ])('%j is %s', async (path, code) => {
    const { webhooks, deactivate } = world();
    expect((await expectApiError(() => deactivate(path))).code).toBe(code);
    expect(webhooks.kept()?.status).toBe(true);
  });

  test('another client’s webhook does not exist', async () => {
    const { deactivate } = world(webhookOf({ clientId: STRANGER }));
    expect((await expectApiError(() => deactivate())).code).toBe('WEBHOOK_NOT_FOUND');
  });

  test('a client id that is no UUID does not fit the path, which is answered 403', () => {
    expect(deactivateWebhookContract.pathParameters.safeParse({ clientId: 'x', webhook_id: WEBHOOK }).success).toBe(
      false,
    );
    expect(deactivateWebhookContract.unknownPath.code).toBe('FORBIDDEN');
  });
});
