import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createIssueSecret } from '#shared/webhooks/http-client/send-event.ts';
import { rotatedSecrets } from '#shared/webhooks/model/webhook.ts';

const NOON = new Date('2026-08-01T12:00:00.000Z');
const later = (hours: number) => new Date(NOON.getTime() + hours * 3600 * 1000);

/** Rotates so many hours after noon, one after another. */
function rotatedAt(...hours: readonly number[]) {
  return hours.reduce<ReturnType<typeof rotatedSecrets>>(
    (secrets, hour, index) => rotatedSecrets(secrets, `secret ${index + 1}`, later(hour)),
    [{ ciphertext: 'secret 0' }],
  );
}

describe('decisions 7, managing: the secrets after a rotation', () => {
  test('the new one has no end, the one before is valid for 24 hours', () => {
    expect(rotatedAt(0)).toEqual([
      { ciphertext: 'secret 1' },
      { ciphertext: 'secret 0', validUntil: '2026-08-02T12:00:00.000Z' },
    ]);
  });

  test('a third inside 24 hours drops the oldest', () => {
    expect(rotatedAt(0, 1, 2).map(({ ciphertext }) => ciphertext)).toEqual(['secret 3', 'secret 2', 'secret 1']);
  });

  test('what has ended is dropped: after 24 hours, which are 86,400 seconds', () => {
    expect(rotatedAt(0, 23.99).map(({ ciphertext }) => ciphertext)).toEqual(['secret 2', 'secret 1', 'secret 0']);
    expect(rotatedAt(0, 24).map(({ ciphertext }) => ciphertext)).toEqual(['secret 2', 'secret 1']);
  });
});

describe('decisions 7, managing: a secret', () => {
  const ciphertext: unknown[] = [];
  const issueSecret = createIssueSecret(async (text, context) => {
    ciphertext.push([text, context]);
    return 'ciphertext';
  }, randomBytes);

  test('is whsec_ and the base64 of 32 random bytes, ciphertext for its webhook alone', async () => {
    const { secret, ciphertext: kept } = await issueSecret('webhook-1');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).toHaveLength(32);
    expect(ciphertext).toEqual([[secret, { webhookId: 'webhook-1' }]]);
    expect(kept).toBe('ciphertext');
  });
});
