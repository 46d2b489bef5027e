import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { KMSClient } from '@aws-sdk/client-kms';
import { Refusal } from '#shared/domain/refusal.ts';
import { signDetached } from '#shared/kms/detached-jws.ts';

const TIMEOUT = 10_000;

interface Provider {
  readonly keyId: string;
  readonly signatureHeader: string;
  /** The service's own endpoint for the provider's notifications. */
  readonly endpoint: URL;
}

/**
 * Sends a simulated provider's notification, signed by its own key, through the real endpoint.
 *
 * @throws {Refusal} SERVICE_UNAVAILABLE when it was not taken; the same call sends it again.
 */
export function notifierAs(kms: KMSClient, { keyId, signatureHeader, endpoint }: Provider) {
  return async (body: string): Promise<void> => {
    const signature = await signDetached(kms, keyId, body);
    const status = await post(endpoint, body, { 'Content-Type': 'application/json', [signatureHeader]: signature });
    if (status === 200) return;
    throw new Refusal('SERVICE_UNAVAILABLE', {
      detail: 'It was changed, but the notification was not taken. Send the same request again.',
      retryAfterSeconds: 1,
    });
  };
}

function post(url: URL, body: string, headers: Readonly<Record<string, string>>): Promise<number> {
  const send = url.protocol === 'http:' ? httpRequest : httpsRequest;
  return new Promise((resolve) => {
    const request = send(url, { method: 'POST', headers, timeout: TIMEOUT }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(0));
    request.end(body);
  });
}
