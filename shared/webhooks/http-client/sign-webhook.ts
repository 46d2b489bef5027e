import { createHmac } from 'node:crypto';

/** A secret as the client receives it: base64 after a prefix. */
const SECRET = /^whsec_(?<key>[A-Za-z0-9+/]+={0,2})$/;

/**
 * The headers of Standard Webhooks 1.0 for one attempt: `webhook-id`, `webhook-timestamp` in seconds since 1970, and
 * `webhook-signature`, one `v1` (HMAC-SHA256 of `id.timestamp.body`) per secret in the order given, so that a receiver
 * which knows any of them can verify.
 *
 * @param secrets `whsec_` and base64; at least one
 * @throws when there is no secret, or one has another format: an unsigned call must never be sent
 */
export function signedHeaders(
  secrets: readonly string[],
  message: { readonly id: string; readonly at: Date; readonly body: string },
): Readonly<Record<string, string>> {
  if (secrets.length === 0) throw new Error('A webhook has no secret to sign with.');
  const timestamp = Math.floor(message.at.getTime() / 1000).toString();
  const signed = `${message.id}.${timestamp}.${message.body}`;
  const signatures = secrets.map(
    (secret) => `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`,
  );
  return {
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}

function keyOf(secret: string): Buffer {
  const key = SECRET.exec(secret)?.groups?.['key'];
  if (key === undefined) throw new Error('A secret of a webhook is not in the format whsec_….');
  return Buffer.from(key, 'base64');
}
