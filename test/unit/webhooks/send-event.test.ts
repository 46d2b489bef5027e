import { randomBytes } from 'node:crypto';
import { IncorrectKeyException, KMSInternalException } from '@aws-sdk/client-kms';
import { describe, expect, test } from 'vitest';
import type { WebhookCall } from '#shared/webhooks/http-client/call-webhook.ts';
import { createSendEvent, type DecryptSecret } from '#shared/webhooks/http-client/send-event.ts';
import { BlockedUrl, type GuardTarget, type TargetFault } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { rotatedSecrets, type Webhook } from '#shared/webhooks/model/webhook.ts';
import { fakeClock } from '#test/support/fake-clock.ts';
import { guardWithoutDns } from '#test/support/guard-without-dns.ts';
import { WEBHOOK } from '#test/support/ids.ts';
import { hasValidSignature } from '#test/support/verify-webhook.ts';
import { webhookOf } from '#test/support/webhooks-in-memory.ts';

const NOON = '2026-08-01T12:00:00.000Z';
const EVENT = { eventId: 'evt_1', body: '{"type":"ramp.operation.status_changed"}' };

/** `ciphertext 0` is ciphertext from the first of these, and so on; each opens for its webhook only. */
const secrets = [0, 1, 2].map(() => `whsec_${randomBytes(32).toString('base64')}`);
const decryptSecret: DecryptSecret = async (ciphertext, webhookId) => {
  const secret = secrets[Number(ciphertext.replace('ciphertext ', ''))];
  if (secret === undefined || webhookId !== WEBHOOK) throw new Error(`${ciphertext} does not open`);
  return secret;
};

/** Sends without a network; a call takes 250 ms. */
function sending(guardUrl: GuardTarget = guardWithoutDns, clock = fakeClock(NOON), open = decryptSecret) {
  const calls: WebhookCall[] = [];
  const send = createSendEvent({
    guardUrl,
    decryptSecret: open,
    clock,
    callWebhook: async (call) => {
      calls.push(call);
      clock.advance(0.25);
      return { statusCode: 429, retryAfter: '120' };
    },
  });
  return { send, calls, clock };
}

/** Which of the secrets the last call verifies with. */
function verifiedBy({ calls }: ReturnType<typeof sending>): readonly boolean[] {
  const { headers = {}, body = '' } = calls.at(-1) ?? {};
  return secrets.map((secret) => hasValidSignature(secret, headers, body));
}

describe('decisions 7, signing: an event is sent once', () => {
  test('to the webhook’s current URL, with the time of the event', async () => {
    const { send, calls } = sending();
    const webhook = webhookOf({ url: 'https://hooks.example.com:8443/x', method: 'PUT' });
    const attempt = await send(webhook, EVENT);
    expect(attempt).toEqual({ statusCode: 429, retryAfter: '120', at: NOON, durationMs: 250 });
    expect(calls).toMatchObject([
      { url: new URL(webhook.url), method: 'PUT', addresses: ['8.8.8.8'], body: EVENT.body },
    ]);
    expect(calls[0]?.headers).toMatchObject({ 'webhook-id': 'evt_1', 'webhook-timestamp': '1785585600' });
  });

  test('and a retry has the same id and body, another timestamp and another signature', async () => {
    const { send, calls, clock } = sending();
    await send(webhookOf(), EVENT);
    clock.advance(300);
    await send(webhookOf(), EVENT);
    const [first, retry] = calls;
    expect(retry?.body).toBe(first?.body);
    expect(retry?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(Number(retry?.headers['webhook-timestamp'])).toBe(Number(first?.headers['webhook-timestamp']) + 300);
    expect(retry?.headers['webhook-signature']).not.toBe(first?.headers['webhook-signature']);
  });
});

describe('decisions 7, signing: the secrets that sign', () => {
  const rotated = (webhook: Webhook, ciphertext: string) =>
    webhookOf({ secrets: rotatedSecrets(webhook.secrets, ciphertext, new Date(NOON)) });

  test('both verify after a rotation, until the grace of 24 hours is over', async () => {
    const sent = sending();
    const webhook = rotated(webhookOf(), 'ciphertext 1');
    await sent.send(webhook, EVENT);
    expect(verifiedBy(sent)).toEqual([true, true, false]);
    sent.clock.set('2026-08-02T11:59:59.999Z');
    await sent.send(webhook, EVENT);
    expect(verifiedBy(sent)).toEqual([true, true, false]);
    sent.clock.set('2026-08-02T12:00:00.000Z');
    await sent.send(webhook, EVENT);
    expect(verifiedBy(sent)).toEqual([false, true, false]);
  });

  test('are the new one alone when the key of the replaced one is lost, none when that of the new one is, and both or none when KMS does not answer', async () => {
    const sendingUnless = (error: Error) => {
      const open: DecryptSecret = (ciphertext, webhookId) =>
        ciphertext === 'ciphertext 0' ? Promise.reject(error) : decryptSecret(ciphertext, webhookId);
      return sending(guardWithoutDns, fakeClock(NOON), open);
    };
    const webhook = rotated(webhookOf(), 'ciphertext 1');
    const lost = sendingUnless(new IncorrectKeyException({ message: 'another key', $metadata: {} }));
    await lost.send(webhook, EVENT);
    expect(verifiedBy(lost)).toEqual([false, true, false]);
    const newIsLost = rotated(webhookOf({ secrets: [{ ciphertext: 'ciphertext 1' }] }), 'ciphertext 0');
    await expect(lost.send(newIsLost, EVENT)).rejects.toThrow('another key');
    const silent = sendingUnless(new KMSInternalException({ message: 'later', $metadata: {} }));
    await expect(silent.send(webhook, EVENT)).rejects.toThrow('later');
  });

  test('send nothing when one does not open, which is no attempt', async () => {
    const { send, calls } = sending();
    await expect(send(webhookOf({ secrets: [{ ciphertext: 'ciphertext 9' }] }), EVENT)).rejects.toThrow(
      'does not open',
    );
    await expect(send(webhookOf({ webhookId: 'another' }), EVENT)).rejects.toThrow('does not open');
    expect(calls).toEqual([]);
  });
});

describe('decisions 7, where a webhook may point: checked on every attempt', () => {
  const refusing = (fault: TargetFault): GuardTarget => {
    return () => Promise.reject(new BlockedUrl(fault, 'is refused'));
  };

  test.each([
    ['HOST_NOT_RESOLVED', { error: 'DNS' }],
    ['ADDRESS_NOT_PUBLIC', { error: 'BLOCKED' }],
    ['HOST_NOT_PUBLIC', { error: 'BLOCKED', isUrlBlocked: true }],
    ['NOT_ALLOWED', { error: 'BLOCKED', isUrlBlocked: true }],
    ['OUT_OF_RANGE', { error: 'BLOCKED', isUrlBlocked: true }],
    ['INVALID_FORMAT', { error: 'BLOCKED', isUrlBlocked: true }],
  ] as const)('%s is told as %j, without an address and without a call', async (fault, told) => {
    const { send, calls } = sending(refusing(fault));
    expect(await send(webhookOf(), EVENT)).toEqual({ ...told, at: NOON, durationMs: 0 });
    expect(calls).toEqual([]);
  });

  test('any other failure of the guard is no attempt', async () => {
    const { send } = sending(() => Promise.reject(new Error('out of sockets')));
    await expect(send(webhookOf(), EVENT)).rejects.toThrow('out of sockets');
  });
});
