import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { PublishedEvents } from './generated.ts';

/** An event of this service. Services may add types: give a `switch` over `type` a `default`. */
export type WebhookEvent = PublishedEvents[keyof PublishedEvents];

export { WebhookVerificationError };

type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Verifies a call and returns its event. The service must have sent the call within the last five minutes (Standard
 * Webhooks).
 *
 * @param secret `whsec_…`, as it was shown when the webhook was registered
 * @param body as it arrived, before anything parses it
 * @throws {WebhookVerificationError} for any other call: answer 401
 * @throws {TypeError} when the body is already parsed: its signature cannot be verified any more
 */
export function verifyWebhook(secret: string, headers: RequestHeaders, body: string | Uint8Array): WebhookEvent;
export function verifyWebhook(secret: string, headers: RequestHeaders, body: string | Uint8Array): unknown {
  if (typeof body !== 'string' && !ArrayBuffer.isView(body))
    throw new TypeError('verifyWebhook takes the body as it arrived, text or bytes: let nothing parse it before.');
  const text = typeof body === 'string' ? body : new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const all = headers instanceof Headers ? [...headers] : Object.entries(headers);
  return new Webhook(secret).verify(text, Object.fromEntries(all.map(([name, value]) => [name, String(value ?? '')])));
}
