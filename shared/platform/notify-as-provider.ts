import type { KMSClient } from '@aws-sdk/client-kms';
import { signDetached } from './aws/kms.ts';
import { requestStatus } from './request-status.ts';

const TIMEOUT = 10_000;

interface Provider {
  readonly keyId: string;
  readonly signatureHeader: string;
  /** The service's own endpoint for the provider's notifications. */
  readonly endpoint: URL;
}

/** The error that a client of the sandbox gets when the notification of a change was not accepted. */
export const NOT_NOTIFIED = 'The change was made, but its notification was not accepted. Send the same request again.';

/**
 * Sends a simulated provider's notification, signed by its own key, through the real endpoint; false when it was not
 * accepted.
 */
export function createNotifyAsProvider(kms: KMSClient, { keyId, signatureHeader, endpoint }: Provider) {
  return async (body: string): Promise<boolean> => {
    const signature = await signDetached(kms, keyId, body);
    const headers = { 'Content-Type': 'application/json', [signatureHeader]: signature };
    return (await requestStatus(endpoint, { method: 'POST', headers, body, timeout: TIMEOUT })) === 200;
  };
}
