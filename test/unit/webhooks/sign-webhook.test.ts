import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signedHeaders } from '#shared/webhooks/http-client/sign-webhook.ts';
import { hasValidSignature } from '#test/support/verify-webhook.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

const message = {
  id: 'evt_1',
  at: new Date('2026-08-01T12:00:00.999Z'),
  body: '{"type":"ramp.operation.status_changed"}',
};

test('decisions 7, signing: the known vector of Standard Webhooks has the exact signature', () => {
  const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('decisions 7, signing: several secrets', () => {
  test('sign so that each of them verifies, and another does not', () => {
    const secrets = [newSecret(), newSecret(), newSecret()];
    const headers = signedHeaders(secrets, message);
    const outcomes = [...secrets, newSecret()].map((secret) => hasValidSignature(secret, headers, message.body));
    expect(outcomes).toEqual([true, true, true, false]);
  });
});

test('decisions 7, signing: whatever the body, its very bytes are signed, with the id and the timestamp', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.base64String({ minLength: 32 }), (body, key) => {
      const secret = `whsec_${key}`;
      const headers = signedHeaders([secret], { ...message, body });
      expect(hasValidSignature(secret, headers, Buffer.from(body))).toBe(true);
      expect(hasValidSignature(secret, headers, Buffer.from(`${body} `))).toBe(false);
      expect(hasValidSignature(secret, { ...headers, 'webhook-id': 'evt_2' }, body)).toBe(false);
      expect(hasValidSignature(secret, { ...headers, 'webhook-timestamp': '1785585601' }, body)).toBe(false);
    }),
  );
});

test.each([
  [[]],
  [['']],
  [['whsec_']],
  [['MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw']],
  [['whsec_not base64']],
  [['+whsec_MfKQ']],
])('decisions 7, signing: with the secrets %j nothing is signed, and the secret is not told', (secrets) => {
  expect(() => signedHeaders(secrets, message)).toThrow(/^A (webhook has no secret|secret of a webhook is not) /);
});
