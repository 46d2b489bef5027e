import type { KMSClient } from '@aws-sdk/client-kms';
import { Refusal } from '#shared/domain/refusal.ts';
import { signDetached } from '#shared/kms/detached-jws.ts';
import { requestStatus } from '#shared/runtime/request-status.ts';

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
    const headers = { 'Content-Type': 'application/json', [signatureHeader]: signature };
    const status = await requestStatus(endpoint, { method: 'POST', headers, body, timeout: TIMEOUT });
    if (status === 200) return;
    throw new Refusal('SERVICE_UNAVAILABLE', {
      detail: 'It was changed, but the notification was not accepted. Send the same request again.',
      retryAfterSeconds: 1,
    });
  };
}
