import { describe, expect, test } from 'vitest';
import { rotateWebhookSecret } from '#functions/webhooks/rotate-webhook-secret/rotate-webhook-secret.ts';
import { ConflictPersists, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { rotateWebhookSecretContract } from '#shared/webhooks/contract/webhook-contract.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { healthInMemory } from '#test/support/health-in-memory.ts';
import { STRANGER, WEBHOOK } from '#test/support/ids.ts';
import { CREATED_AT, EXPIRES_AT } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

function world(
  webhook = webhookOf(),
  health: Pick<WebhookHealths, 'applyChange'> = healthInMemory(fakeClock(CREATED_AT)),
) {
  const webhooks = webhooksInMemory(webhook);
  let issued = 0;
  const useCase = rotateWebhookSecret({
    webhooks,
    changeWebhook: webhooks.change,
    health,
    issueSecret: async () => {
      issued += 1;
      return { secret: `whsec_${issued}`, ciphertext: `ciphertext ${issued}` };
    },
    clock: fakeClock(CREATED_AT),
  });
  const rotate = (path: Record<string, string> = {}) => useCase(routeCall(rotateWebhookSecretContract, path));
  return { webhooks, rotate, issued: () => issued };
}

describe('decisions 7, managing: a new secret', () => {
  test('is answered with the webhook; the one before stays valid for 24 hours', async () => {
    const { webhooks, rotate } = world();
    const { url, method, process, status, userId } = webhookOf();
    expect((await rotate()).body).toEqual({ id: WEBHOOK, url, method, process, status, userId, secret: 'whsec_1' });
    expect(webhooks.kept()).toEqual({
      ...webhookOf(),
      sequence: 2,
      secrets: [{ ciphertext: 'ciphertext 1' }, { ciphertext: 'ciphertext 0', validUntil: EXPIRES_AT }],
    });
  });

  test('an inactive webhook gets one too, and stays inactive', async () => {
    const { webhooks, rotate } = world(webhookOf({ status: false }));
    expect((await rotate()).body).toMatchObject({ status: false, secret: 'whsec_1' });
    expect(webhooks.kept()?.status).toBe(false);
  });

  test('is answered, as it is in no other answer, when the pause of its webhook cannot be ended now', async () => {
    const { webhooks, rotate } = world(webhookOf(), {
      applyChange: () => Promise.reject(new ConflictPersists('busy')),
    });
    expect((await rotate()).body.secret).toBe('whsec_1');
    expect(webhooks.kept()?.secrets).toHaveLength(2);
  });

  test('the answer has the stored secret, even if another call rotates meanwhile', async () => {
    const { webhooks, rotate, issued } = world();
    const others = [{ ciphertext: 'of another' }, { ciphertext: 'ciphertext 0', validUntil: EXPIRES_AT }];
    webhooks.meanwhile({ secrets: others });
    expect((await rotate()).body.secret).toBe('whsec_1');
    expect(webhooks.kept()?.secrets.map(({ ciphertext }) => ciphertext)).toEqual([
      'ciphertext 1',
      'of another',
      'ciphertext 0',
    ]);
    expect(issued()).toBe(1);
  });

  test.each([
    [{ clientId: STRANGER }, 'FORBIDDEN'],
    [{ webhook_id: STRANGER }, 'WEBHOOK_NOT_FOUND'],
    [{ webhook_id: 'x' }, 'WEBHOOK_NOT_FOUND'],
  ])('%j is %s, and no secret is made', async (path, code) => {
    const { rotate, issued } = world();
    expect((await expectApiError(() => rotate(path))).code).toBe(code);
    expect(issued()).toBe(0);
  });
});

describe('decisions 10, conflicts: rotations of one webhook at the same time', () => {
  const failing = (reason: string) => {
    const webhooks = webhooksInMemory(webhookOf());
    let issued = 0;
    const useCase = rotateWebhookSecret({
      webhooks,
      changeWebhook: () => Promise.reject(new WriteConflict(reason)),
      health: healthInMemory(fakeClock(CREATED_AT)),
      issueSecret: async () => {
        issued += 1;
        return { secret: 'whsec_1', ciphertext: 'ciphertext 1' };
      },
      clock: fakeClock(CREATED_AT),
    });
    return { rotate: () => useCase(routeCall(rotateWebhookSecretContract, {})), issued: () => issued };
  };

  test('that hinder each other for three seconds are 409, for one call of KMS each', async () => {
    const { rotate, issued } = failing('The webhook was changed meanwhile.');
    const error = await expectApiError(rotate);
    expect(error).toMatchObject({ status: 409, code: 'CONCURRENT_CHANGE', retryAfterSeconds: 1 });
    expect(issued()).toBe(1);
  });

  test('that meet a throttled table are a fault of the service', async () => {
    const { rotate } = failing('ThrottlingException');
    expect(await expectApiError(rotate)).toMatchObject({ status: 503, retryAfterSeconds: 1 });
  });
});
