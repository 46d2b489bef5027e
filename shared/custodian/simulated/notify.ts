import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { KMSClient } from '@aws-sdk/client-kms';
import { Refusal } from '#shared/domain/refusal.ts';
import type { NotifiedTransfer } from '../custodian.ts';
import { SIGNATURE_HEADER, simulatedNotification } from './notifications.ts';

const TIMEOUT = 10_000;

/**
 * Sends the simulated custodian's signed notification through the real endpoint.
 *
 * @throws {Refusal} SERVICE_UNAVAILABLE when it was not taken; the same call sends it again.
 */
export function notifierTo(kms: KMSClient, keyId: string, endpoint: URL) {
  return async (transfer: NotifiedTransfer): Promise<void> => {
    const { body, signature } = await simulatedNotification(kms, keyId, transfer);
    const status = await post(endpoint, body, { 'Content-Type': 'application/json', [SIGNATURE_HEADER]: signature });
    if (status !== 200) {
      throw new Refusal('SERVICE_UNAVAILABLE', {
        detail: 'The transaction is there, but its notification was not taken. Send the same request again.',
        retryAfterSeconds: 1,
      });
    }
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
