import { webcrypto } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * What a receiver does with one secret by Standard Webhooks 1.0: any signature of the header may be the right one. Written
 * against the standard and not our code, with another implementation of HMAC.
 */
export async function verifies(
  secret: string,
  headers: IncomingHttpHeaders,
  body: string | Uint8Array,
): Promise<boolean> {
  const key = await webcrypto.subtle.importKey(
    'raw',
    Buffer.from(secret.slice('whsec_'.length), 'base64'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const start = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`);
  const signed = Buffer.concat([start, Buffer.from(body)]);
  const signatures = `${headers['webhook-signature']}`.split(' ').map((each) => each.split(',', 2));
  const outcomes = signatures.map(async ([version, signature = '']) => {
    return version === 'v1' && webcrypto.subtle.verify('HMAC', key, Buffer.from(signature, 'base64'), signed);
  });
  return (await Promise.all(outcomes)).includes(true);
}
