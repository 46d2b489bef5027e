import { describe, expect, test } from 'vitest';
import { registerWebhook } from '#functions/webhooks/register-webhook/register-webhook.ts';
import { registerWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { createSsrfGuard } from '#shared/webhooks/http-client/ssrf-guard.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { expectApiError } from '#test/support/expect-api-error.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { CLIENT, STRANGER, USER, WEBHOOK } from '#test/support/ids.ts';
import { CREATED_AT } from '#test/support/off-ramp.ts';
import { routeCall } from '#test/support/route-call.ts';
import { usersInMemory } from '#test/support/users-in-memory.ts';
import { webhookOf, webhooksInMemory } from '#test/support/webhooks-in-memory.ts';

const URL_GIVEN = 'https://Hooks.Example.com/ramp';

/** DNS resolves every name except `gone.example.com`. */
const guardUrl = createSsrfGuard(async (name) => (name === 'gone.example.com' ? [] : ['8.8.8.8']), {
  allowsThisMachine: false,
});

function world(stored: readonly Webhook[] = []) {
  const webhooks = webhooksInMemory(...stored);
  const useCase = registerWebhook({
    createWebhook: webhooks.create,
    findUser: usersInMemory(USER),
    guardUrl,
    issueSecret: async (webhookId) => ({ secret: 'whsec_new', ciphertext: `ciphertext for ${webhookId}` }),
    clock: fakeClock(CREATED_AT),
    newId: () => WEBHOOK,
  });
  const register = (body: unknown, clientId = CLIENT) =>
    useCase(routeCall(registerWebhookContract, { clientId }, body));
  return { webhooks, register };
}

const order = (differences: Record<string, unknown> = {}) => ({ url: URL_GIVEN, process: 'ramp', ...differences });

describe('decisions 7, managing: registering a webhook', () => {
  test('answers the webhook of interface 2.9 with its secret, this once', async () => {
    const { register } = world();
    expect((await register(order({ userId: USER, method: 'PUT' }))).body).toEqual({
      id: WEBHOOK,
      method: 'PUT',
      process: 'ramp',
      status: true,
      url: URL_GIVEN,
      userId: USER,
      secret: 'whsec_new',
    });
  });

  test('is POST and for the client itself when nothing else is said', async () => {
    const { register } = world();
    expect((await register(order())).body).toMatchObject({ method: 'POST', userId: CLIENT });
    expect((await register(order({ userId: CLIENT }))).body.userId).toBe(CLIENT);
    expect((await register(order({ userId: USER.toUpperCase() }))).body.userId).toBe(USER);
  });

  test('keeps the secret ciphertext only, and since when it is active', async () => {
    const { webhooks, register } = world();
    await register(order());
    const ciphertext = [{ ciphertext: `ciphertext for ${WEBHOOK}` }];
    expect(webhooks.kept()).toEqual(webhookOf({ userId: CLIENT, url: URL_GIVEN, secrets: ciphertext }));
  });

  test.each(['ramp', 'compliance', 'wallet_transfer'])('monitors the process %s', async (process) => {
    const { register } = world();
    expect((await register(order({ process }))).body.process).toBe(process);
  });

  test.each([
    [{ url: undefined }, { path: 'body.url', code: 'REQUIRED' }],
    [{ url: 7 }, { path: 'body.url', code: 'INVALID_TYPE' }],
    [{ url: 'example.com' }, { path: 'body.url', code: 'INVALID_FORMAT' }],
    [{ url: 'http://example.com/' }, { path: 'body.url', code: 'NOT_ALLOWED' }],
    [{ url: 'http://localhost:9000/' }, { path: 'body.url', code: 'NOT_ALLOWED' }],
    // This rule applies before DNS is asked.
    [{ url: 'https://gone.example.com/a|b' }, { path: 'body.url', code: 'INVALID_FORMAT' }],
    [{ url: 'https://gone.example.com/' }, { path: 'body.url', code: 'HOST_NOT_RESOLVED' }],
    [{ url: 'https://10.0.0.1/' }, { path: 'body.url', code: 'HOST_NOT_PUBLIC' }],
    [{ process: undefined }, { path: 'body.process', code: 'REQUIRED' }],
    [{ process: 'payin' }, { path: 'body.process', code: 'NOT_ALLOWED' }],
    [{ userId: 'x' }, { path: 'body.userId', code: 'INVALID_FORMAT' }],
  ])('refuses %j with 422, and keeps nothing', async (differences, error) => {
    const { webhooks, register } = world();
    const refused = await expectApiError(() => register(order(differences)));
    expect(refused.status).toBe(422);
    expect(refused.errors).toEqual([expect.objectContaining(error)]);
    expect(webhooks.writes()).toBe(0);
  });

  test.each(['GET', 'TRACE', 'CONNECT', 'DELETE', 'post', 'POST\r\nX-Header: y'])(
    'refuses the method %j, and keeps nothing',
    async (method) => {
      const { webhooks, register } = world();
      const error = await expectApiError(() => register(order({ method })));
      expect(error.errors).toEqual([expect.objectContaining({ path: 'body.method', code: 'NOT_ALLOWED' })]);
      expect(webhooks.writes()).toBe(0);
    },
  );

  test('refuses a user that the client does not have with 404', async () => {
    const { webhooks, register } = world();
    expect((await expectApiError(() => register(order({ userId: STRANGER })))).code).toBe('USER_NOT_FOUND');
    expect(webhooks.writes()).toBe(0);
  });

  test('refuses another client with 403, whatever the body says', async () => {
    const { register } = world();
    expect((await expectApiError(() => register({}, STRANGER))).code).toBe('FORBIDDEN');
  });

  test('a failure of the check of the URL is not the client’s fault', async () => {
    const useCase = registerWebhook({
      createWebhook: webhooksInMemory().create,
      findUser: usersInMemory(),
      guardUrl: async () => {
        throw new TypeError('broken');
      },
      issueSecret: async () => ({ secret: '', ciphertext: '' }),
      clock: fakeClock(CREATED_AT),
      newId: () => WEBHOOK,
    });
    await expect(useCase(routeCall(registerWebhookContract, {}, order()))).rejects.toThrow(TypeError);
  });
});

describe('decisions 7, how many: a client has a hundred webhooks, active or not, and ten active of a process', () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => WEBHOOK.replace(/.{3}$/, String(index).padStart(3, '0')));
  const refusal = (detail: RegExp) => ({
    code: 'TOO_MANY_WEBHOOKS',
    status: 409,
    message: expect.stringMatching(detail),
  });

  test('one more than a hundred is 409, and room is made by removing one', async () => {
    const { webhooks, register } = world(
      ids(100).map((webhookId, index) => webhookOf({ webhookId, status: index > 95 })),
    );
    expect(await expectApiError(() => register(order()))).toMatchObject(refusal(/100 webhooks, active and inactive/));
    expect(webhooks.kept()).toBeUndefined();
    await webhooks.remove(webhookOf({ webhookId: ids(1)[0] ?? '', status: false }));
    expect((await register(order())).body.id).toBe(WEBHOOK);
  });

  test('one more than ten active ones of a process is 409, and room is made by deactivating one', async () => {
    const { webhooks, register } = world(ids(10).map((webhookId) => webhookOf({ webhookId })));
    expect(await expectApiError(() => register(order()))).toMatchObject(
      refusal(/10 active webhooks of the process ramp/),
    );
    expect(webhooks.kept()).toBeUndefined();
    await webhooks.change(webhookOf({ webhookId: ids(1)[0] ?? '' }), { status: false });
    expect((await register(order())).body.id).toBe(WEBHOOK);
  });

  test('those of another process and inactive ones leave room', async () => {
    const { register } = world([
      ...ids(10).map((webhookId) => webhookOf({ webhookId, process: 'compliance' })),
      ...ids(30).map((webhookId) => webhookOf({ webhookId: webhookId.replace(/^./, 'f'), status: false })),
    ]);
    expect((await register(order())).body.id).toBe(WEBHOOK);
  });
});
