import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Verifies a call with one secret, as a receiver does by Standard Webhooks 1.0: any signature of the header may match.
 * It follows the standard, not the service's code.
 */
export function hasValidSignature(secret: string, headers: IncomingHttpHeaders, body: string | Uint8Array): boolean {
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
    .update(body)
    .digest('base64');
  return `${headers['webhook-signature']}`.split(' ').includes(`v1,${signature}`);
}
