import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * What a receiver does with one secret by Standard Webhooks 1.0: any signature of the header may be the right one. Written
 * against the standard and not our code.
 */
export function verifies(secret: string, headers: IncomingHttpHeaders, body: string | Uint8Array): boolean {
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
    .update(body)
    .digest('base64');
  return `${headers['webhook-signature']}`.split(' ').includes(`v1,${signature}`);
}
