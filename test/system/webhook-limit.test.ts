import { randomUUID } from 'node:crypto';
import { describe, expect, inject, test } from 'vitest';
import { decideAgain } from '#shared/dynamodb/decide-again.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { createWebhookRemover, webhookCreator } from '#shared/dynamodb/write-webhook.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { deployedParts } from '../support/deployed.ts';
import { callAs, demoClient, problemOf } from '../support/http-client.ts';
import { webhookOf } from '../support/webhooks-in-memory.ts';

const client = demoClient('second');
const list = `/api/webhooks/${client.clientId}`;

describe('decisions 7, how many: a webhook that is removed', () => {
  const register = async (): Promise<string> => {
    const answer = await callAs(client, 'POST', list, { url: 'http://127.0.0.1:9/hooks', process: 'compliance' });
    return JSON.parse(answer.text).id;
  };
  const refusal = async (method: string, path: string) => {
    const problem = problemOf(await callAs(client, method, path));
    return [problem.status, problem.code];
  };

  test('is 204 without a body, and is there no more; an active one is 409 first', async () => {
    const id = await register();
    const path = `${list}/${id}`;
    expect(await refusal('DELETE', `${path}/record`)).toEqual([409, 'WEBHOOK_ACTIVE']);
    await callAs(client, 'DELETE', path);
    const removed = await callAs(client, 'DELETE', `${path}/record`);
    expect([removed.status, removed.text, removed.headers.get('content-type')]).toEqual([204, '', null]);
    expect(await refusal('DELETE', `${path}/record`)).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect(await refusal('GET', `${path}/deliveries`)).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    expect(JSON.parse((await callAs(client, 'GET', list)).text)).not.toContainEqual(expect.objectContaining({ id }));
  });

  test('makes room, and the list has nothing but webhooks', async () => {
    const before: unknown[] = JSON.parse((await callAs(client, 'GET', list)).text);
    const id = await register();
    const after: unknown[] = JSON.parse((await callAs(client, 'GET', list)).text);
    expect(after).toHaveLength(before.length + 1);
    await callAs(client, 'DELETE', `${list}/${id}`);
    expect((await callAs(client, 'DELETE', `${list}/${id}/record`)).status).toBe(204);
  });
});

describe('decisions 7, how many: of a hostile number at once', () => {
  const { dynamo } = deployedParts();
  const table = inject('stack')['webhooksTable'] ?? '';
  const [create, remove] = [webhookCreator(dynamo, table), createWebhookRemover(dynamo, table)];
  const webhooks = webhooksIn(dynamo, table);

  test('a hundred get through, and as many again as are removed', async () => {
    const clientId = randomUUID();
    const creating = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          decideAgain(systemClock, () => create(webhookOf({ clientId, webhookId: randomUUID() }))),
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
