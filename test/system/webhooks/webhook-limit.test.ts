import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import {
  createChangeWebhook,
  createCreateWebhook,
  createWebhookRepository,
  TooManyWebhooks,
} from '#shared/webhooks/store/webhook-repository.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { callAs, problemOf } from '#test/support/http-client.ts';
import { newTenant } from '#test/support/tenant.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

test('decisions 7, how many: a webhook that is removed is 204 without a body, and is no more; an active one is 409', async () => {
  const client = await newTenant('remover');
  const list = `/api/webhooks/${client.clientId}`;
  const listed = async (): Promise<unknown> => JSON.parse((await callAs(client, 'GET', list)).text);
  const errorOf = async (method: string, path: string) => {
    const problem = problemOf(await callAs(client, method, path));
    return [problem.status, problem.code];
  };
  const order = { url: 'http://127.0.0.1:9/hooks', process: 'compliance' };
  const { id } = JSON.parse((await callAs(client, 'POST', list, order)).text);
  const path = `${list}/${id}`;
  expect(await errorOf('DELETE', `${path}/record`)).toEqual([409, 'WEBHOOK_ACTIVE']);
  await callAs(client, 'DELETE', path);
  // The list has nothing but webhooks, and not what counts them.
  expect(await listed()).toEqual([expect.objectContaining({ id, status: false })]);
  const removed = await callAs(client, 'DELETE', `${path}/record`);
  expect([removed.status, removed.text]).toEqual([204, '']);
  expect(await errorOf('DELETE', `${path}/record`)).toEqual([404, 'WEBHOOK_NOT_FOUND']);
  expect(await errorOf('GET', `${path}/deliveries`)).toEqual([404, 'WEBHOOK_NOT_FOUND']);
  expect(await listed()).toEqual([]);
});

describe('decisions 7, how many: of a hostile number at once', () => {
  const { dynamo } = deployedParts();
  const table = inject('stack')['webhooksTable'] ?? '';
  const [create, change] = [createCreateWebhook(dynamo, table), createChangeWebhook(dynamo, table)];
  const webhooks = createWebhookRepository(dynamo, table);

  test('ten get through, and as many again as are deactivated', async () => {
    const clientId = randomUUID();
    const creating = async (count: number) => {
      const tries = await Promise.allSettled(
        Array.from({ length: count }, () =>
          retryOnConflict(systemClock, () => create(webhookOf({ clientId, webhookId: randomUUID() }))),
        ),
      );
      const errors = tries.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      for (const error of errors) expect(error).toBeInstanceOf(TooManyWebhooks);
      return tries.length - errors.length;
    };
    const deactivate = (seen: Webhook) => retryOnConflict(systemClock, () => change(seen, { status: false }));
    const active = async () => (await webhooks.list(clientId)).filter(({ status }) => status);
    expect(await creating(60)).toBe(10);
    expect(await active()).toHaveLength(10);
    await Promise.all((await active()).slice(0, 4).map(deactivate));
    expect(await creating(20)).toBe(4);
    expect(await active()).toHaveLength(10);
    const [inactive] = (await webhooks.list(clientId)).filter(({ status }) => !status);
    await expect(inactive && change(inactive, { status: true })).rejects.toBeInstanceOf(TooManyWebhooks);
  });
});
