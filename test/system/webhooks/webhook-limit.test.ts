import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { systemClock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { createCreateWebhook, createRemoveWebhook, createWebhookStore } from '#shared/webhooks/webhook-store.ts';
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
  const [create, remove] = [createCreateWebhook(dynamo, table), createRemoveWebhook(dynamo, table)];
  const webhooks = createWebhookStore(dynamo, table);

  test('a hundred get through, and as many again as are removed', async () => {
    const clientId = randomUUID();
    const creating = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          retryOnConflict(systemClock, () => create(webhookOf({ clientId, webhookId: randomUUID() }))),
        ),
      );
    expect((await creating(150)).filter(Boolean)).toHaveLength(100);
    const kept = await webhooks.list(clientId);
    expect(kept).toHaveLength(100);
    for (const webhook of kept.slice(0, 7)) await remove(webhook);
    expect((await creating(20)).filter(Boolean)).toHaveLength(7);
    expect(await webhooks.list(clientId)).toHaveLength(100);
  });
});
