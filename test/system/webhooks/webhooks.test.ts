import { DecryptCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, inject, test } from 'vitest';
import * as z from 'zod/mini';
import { awsOf, type DemoClient } from '#infra/cli/local-outputs.ts';
import type { RequestOf } from '#sdk/routes.ts';
import { connectedAs } from '#test/support/connected.ts';
import { deployedParts } from '#test/support/deployed.ts';
import { callAs, demoClient, type HttpAnswer, problemOf } from '#test/support/http-client.ts';

const client = demoClient('demo');
const second = demoClient('second');
const { dynamo } = deployedParts();
const kms = new KMSClient(awsOf(inject('outputs')));

/** Nobody listens there. */
const URL_GIVEN = 'http://127.0.0.1:9/hooks?tenant=7';

const listPath = (of: DemoClient = client) => `/api/webhooks/${of.clientId}`;
const onePath = (id: string, of: DemoClient = client) => `${listPath(of)}/${id}`;

type Order = RequestOf<'POST /api/webhooks/{clientId}'>['body'];

function order(differences: Partial<Order> = {}): Order {
  return { url: URL_GIVEN, process: 'compliance', ...differences };
}

async function register(differences: Partial<Order> = {}, of: DemoClient = client) {
  const request = { path: { clientId: of.clientId }, body: order(differences) };
  const { secret, ...webhook } = (await connectedAs(of)('POST /api/webhooks/{clientId}', request)).body;
  return { webhook, secret };
}

const call = connectedAs(client);
const pathTo = (webhookId: string) => ({ clientId: client.clientId, webhook_id: webhookId });
const rotate = (webhookId: string) =>
  call('POST /api/webhooks/{clientId}/{webhook_id}/secret', { path: pathTo(webhookId) });

async function listed(of: DemoClient = client) {
  return (await connectedAs(of)('GET /api/webhooks/{clientId}', { path: { clientId: of.clientId } })).body;
}

/** One after the other, each leaving room for the next: a client has ten active webhooks of a process at most. */
const alone = { concurrent: false };

afterEach(async () => {
  for (const of of [client, second]) {
    const active = (await listed(of)).filter(({ status, process }) => status && process === 'compliance');
    await Promise.all(active.map(({ id }) => callAs(of, 'DELETE', onePath(id, of))));
  }
});

const kept = z.object({
  status: z.boolean(),
  url: z.string(),
  createdAt: z.string(),
  activeSince: z.string(),
  sequence: z.int(),
  secrets: z.array(z.object({ ciphertext: z.string(), validUntil: z.optional(z.string()) })),
});

/** The webhook as it stands in the table, and all of it as text. */
async function inTable(webhookId: string, of: DemoClient = client) {
  const { Item } = await dynamo.send(
    new GetCommand({
      TableName: inject('stack')['webhooksTable'],
      Key: { clientId: of.clientId, webhookId },
      ConsistentRead: true,
    }),
  );
  return { webhook: kept.parse(Item ?? {}), text: JSON.stringify(Item) };
}

async function opened(ciphertext: string | undefined, webhookId: string): Promise<string> {
  const { Plaintext } = await kms.send(
    new DecryptCommand({ CiphertextBlob: Buffer.from(ciphertext ?? '', 'base64'), EncryptionContext: { webhookId } }),
  );
  return Buffer.from(Plaintext ?? []).toString();
}

/** The five calls that change something, with a body that each accepts. */
function changing(id: string, of: DemoClient) {
  return [
    ['POST', listPath(of), order()],
    ['PATCH', onePath(id, of), { status: true }],
    ['DELETE', onePath(id, of), undefined],
    ['DELETE', `${onePath(id, of)}/record`, undefined],
    ['POST', `${onePath(id, of)}/secret`, undefined],
  ] as const;
}

describe('interface 2.9: a webhook has', alone, () => {
  test('exactly id, method, process, status, url and userId', async () => {
    const { webhook } = await register({ process: 'wallet_transfer' });
    const read = (await listed()).find(({ id }) => id === webhook.id);
    const answers = [webhook, read];
    for (const answer of answers) {
      expect(answer).toEqual({
        id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
        method: 'POST',
        process: 'wallet_transfer',
        status: true,
        url: URL_GIVEN,
        userId: client.clientId,
      });
    }
  });

  test('the same fields in the raw answers of the list and of the deactivation', async () => {
    const { webhook } = await register();
    const answers = [
      await callAs(client, 'DELETE', onePath(webhook.id)),
      await callAs(client, 'PATCH', onePath(webhook.id), { method: 'PUT' }),
    ].map(({ text }): unknown => JSON.parse(text));
    const list: unknown[] = JSON.parse((await callAs(client, 'GET', listPath())).text);
    for (const answer of [...answers, ...list]) {
      expect(Object.keys(z.record(z.string(), z.unknown()).parse(answer)).sort()).toEqual([
        'id',
        'method',
        'process',
        'status',
        'url',
        'userId',
      ]);
    }
  });
});

describe('decisions 7, managing: registering', alone, () => {
  test('201 with the webhook and its secret, not to be cached', async () => {
    const userId = client.users[0]?.userId;
    const answer = await callAs(client, 'POST', listPath(), order({ method: 'PUT', userId }));
    expect(answer.status).toBe(201);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(JSON.parse(answer.text)).toEqual({
      id: expect.any(String),
      method: 'PUT',
      process: 'compliance',
      status: true,
      url: URL_GIVEN,
      userId,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
  });
});

describe('decisions 7: the list', alone, () => {
  test('never has a secret, whatever was done to the webhook', async () => {
    const { webhook, secret } = await register();
    const rotated = await callAs(client, 'POST', `${onePath(webhook.id)}/secret`);
    const answers = [
      await callAs(client, 'GET', listPath()),
      await callAs(client, 'PATCH', onePath(webhook.id), { method: 'PUT' }),
      await callAs(client, 'DELETE', onePath(webhook.id)),
    ];
    expect(rotated.text).toContain('whsec_');
    for (const { status, text } of answers) {
      expect(status).toBe(200);
      expect(text).not.toMatch(/whsec_|secret|ciphertext/);
      expect(text).not.toContain(secret.replace('whsec_', ''));
    }
  });
});

describe('interface 3.4 and 4.7: deactivating', alone, () => {
  test('active → inactive: 200, the webhook with status false, its configuration kept', async () => {
    const { webhook } = await register({ userId: client.users[0]?.userId });
    const answer = await call('DELETE /api/webhooks/{clientId}/{webhook_id}', { path: pathTo(webhook.id) });
    expect(answer).toMatchObject({ status: 200, body: { ...webhook, status: false } });
    expect((await listed()).find(({ id }) => id === webhook.id)).toEqual({ ...webhook, status: false });
  });
});

describe('decisions 7, managing: reactivating and changing', alone, () => {
  test('inactive → active with the configuration kept, active since then', async () => {
    const { webhook } = await register();
    await callAs(client, 'DELETE', onePath(webhook.id));
    const deactivated = await inTable(webhook.id);
    const request = { path: pathTo(webhook.id), body: { status: true } } as const;
    expect((await call('PATCH /api/webhooks/{clientId}/{webhook_id}', request)).body).toEqual(webhook);
    const { activeSince, createdAt, secrets } = (await inTable(webhook.id)).webhook;
    expect(deactivated.webhook.activeSince).toBe(createdAt);
    expect(activeSince > createdAt).toBe(true);
    expect(secrets).toEqual(deactivated.webhook.secrets);
  });
});

describe('decisions 7, managing: the secret', alone, () => {
  test('is in the table, but not in plain text, and opens for its webhook only', async () => {
    const [{ webhook, secret }, other] = [await register(), await register()];
    const { webhook: item, text } = await inTable(webhook.id);
    const bare = secret.replace('whsec_', '');
    const hidden = [secret, bare, Buffer.from(bare, 'base64').toString('hex'), Buffer.from(secret).toString('base64')];
    for (const form of hidden) expect(text).not.toContain(form);
    expect(item.secrets).toHaveLength(1);
    expect(await opened(item.secrets[0]?.ciphertext, webhook.id)).toBe(secret);
    await expect(opened(item.secrets[0]?.ciphertext, other.webhook.id)).rejects.toThrow();
  });

  test('a new one is answered with the webhook, and the one before stays valid for 24 hours', async () => {
    const { webhook, secret } = await register();
    const from = Date.now();
    const answer = await rotate(webhook.id);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    const { secret: next, ...rotated } = answer.body;
    expect(rotated).toEqual(webhook);
    expect(next).not.toBe(secret);
    const [current, previous] = (await inTable(webhook.id)).webhook.secrets;
    expect([await opened(current?.ciphertext, webhook.id), current?.validUntil]).toEqual([next, undefined]);
    expect(await opened(previous?.ciphertext, webhook.id)).toBe(secret);
    const validFor = Date.parse(previous?.validUntil ?? '') - from;
    expect(Math.abs(validFor - 24 * 3600 * 1000)).toBeLessThan(60_000);
  });
});

describe('decisions 1: who may', alone, () => {
  const errorOf = (answer: HttpAnswer) => {
    const { status, code } = problemOf(answer);
    return [status, code];
  };

  test('two clients never see each other’s webhooks', async () => {
    const [mine, foreign] = [await register(), await register({}, second)];
    expect((await listed()).map(({ id }) => id)).not.toContain(foreign.webhook.id);
    expect((await listed(second)).map(({ id }) => id)).not.toContain(mine.webhook.id);
    const before = await inTable(foreign.webhook.id, second);
    for (const [method, path, body] of changing(foreign.webhook.id, client).slice(1)) {
      expect(errorOf(await callAs(client, method, path, body))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    }
    for (const [method, path, body] of changing(foreign.webhook.id, second)) {
      expect(errorOf(await callAs(client, method, path, body))).toEqual([403, 'FORBIDDEN']);
    }
    expect(errorOf(await callAs(client, 'GET', listPath(second)))).toEqual([403, 'FORBIDDEN']);
    expect((await inTable(foreign.webhook.id, second)).text).toBe(before.text);
  });
});
