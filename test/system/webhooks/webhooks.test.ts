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

/** No server listens on this port. */
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

async function listed(of: DemoClient = client) {
  return (await connectedAs(of)('GET /api/webhooks/{clientId}', { path: { clientId: of.clientId } })).body;
}

/** One after the other, each cleaning up for the next: a client has at most ten active webhooks of a process. */
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

/** The webhook as stored in the table, and its whole item as text. */
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
