import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** An older call may be a recording that somebody sends again. */
const TOLERANCE_SECONDS = 5 * 60;

/**
 * True if the service has sent this call, within the last five minutes.
 *
 * @param secret `whsec_…`, as it was shown when the webhook was registered
 * @param body the bytes as they arrived, before anything parses them
 * @param now in seconds
 */
export function verifyWebhook(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  now = Date.now() / 1000,
): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const start = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
  const expected = Buffer.from(`v1,${createHmac('sha256', key).update(start).update(body).digest('base64')}`);
  // While a replaced secret is still valid, there is a signature by each of the two.
  const signatures = `${headers['webhook-signature']}`.split(' ').map((each) => Buffer.from(each));
  const isSigned = signatures.some((each) => each.length === expected.length && timingSafeEqual(each, expected));
  const age = now - Number(headers['webhook-timestamp']);
  return isSigned && Math.abs(age) <= TOLERANCE_SECONDS;
}
