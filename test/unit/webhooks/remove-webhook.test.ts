import { describe, expect, test } from 'vitest';
import { removeWebhook } from '#functions/webhooks/remove-webhook/remove-webhook.ts';
import { removeWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { STRANGER } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

function world(webhook = webhookOf({ status: false })) {
  const webhooks = webhooksInMemory(webhook);
  const useCase = removeWebhook({ webhooks, remove: webhooks.remove, clock: fakeClock(CREATED_AT) });
  const removing = (path: Record<string, string> = {}) => useCase(routeCall(removeWebhookContract, path));
  return { webhooks, removing };
}

describe('decisions 7, how many: removing a webhook', () => {
  test('that is inactive leaves nothing of it, and answers nothing', async () => {
    const { webhooks, removing } = world();
    expect(await removing()).toEqual({ body: undefined });
    expect(webhooks.kept()).toBeUndefined();
    expect(await expectApiError(() => removing())).toMatchObject({ code: 'WEBHOOK_NOT_FOUND', status: 404 });
  });

  test('that is active is 409, and leaves it as it is', async () => {
    const { webhooks, removing } = world(webhookOf());
    expect(await expectApiError(() => removing())).toMatchObject({ code: 'WEBHOOK_ACTIVE', status: 409 });
    expect(webhooks.kept()).toEqual(webhookOf());
  });

  test('that is reactivated meanwhile is 409, too: it is decided again', async () => {
    const { webhooks, removing } = world();
    webhooks.meanwhile({ status: true });
    expect(await expectApiError(() => removing())).toMatchObject({ code: 'WEBHOOK_ACTIVE' });
    expect(webhooks.kept()?.status).toBe(true);
  });

  test.each([
    ['of another id', { webhook_id: STRANGER }, 'WEBHOOK_NOT_FOUND'],
    ['of no id', { webhook_id: 'x' }, 'WEBHOOK_NOT_FOUND'],
    ['of another client', { clientId: STRANGER }, 'FORBIDDEN'],
  ])('%s is refused', async (_, path, code) => {
    const { webhooks, removing } = world();
    expect(await expectApiError(() => removing(path))).toMatchObject({ code });
    expect(webhooks.writes()).toBe(0);
  });
});
