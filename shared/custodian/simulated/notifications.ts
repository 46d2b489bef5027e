import type { KeyObject } from 'node:crypto';
import { type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { base64url, flattenedVerify } from 'jose';
import * as z from 'zod/mini';
import { network } from '#shared/contracts/fields.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import type { NotifiedTransfer, ReadNotification } from '../custodian.ts';

/** A detached JWS (RS512) over the raw body, as real custodians send it. */
export const SIGNATURE_HEADER = 'custodian-signature';

const DEPOSIT_CHANGED = 'transaction.status.updated';

const notification = z.object({
  eventType: z.string(),
  data: z.object({ custodianTransferId: z.string(), network, txHash: z.string() }),
});

const anyNotification = z.object({ eventType: z.string() });

/** Verifies with the public half of the simulated custodian's own key. */
export function simulatedReadNotification(publicKey: KeyObject): ReadNotification {
  return async ({ rawBody, headers }) => {
    await verifyDetached(headers.get(SIGNATURE_HEADER) ?? '', rawBody, publicKey);
    const claimed: unknown = JSON.parse(rawBody.toString('utf8'));
    if (anyNotification.parse(claimed).eventType !== DEPOSIT_CHANGED) return undefined;
    return notification.parse(claimed).data;
  };
}

/** What the simulated custodian sends for a transfer: the raw body and the signature header's value. */
export async function simulatedNotification(
  kms: KMSClient,
  keyId: string,
  transfer: NotifiedTransfer,
): Promise<{ readonly body: string; readonly signature: string }> {
  const { custodianTransferId, network, txHash } = transfer;
  const body = JSON.stringify({ eventType: DEPOSIT_CHANGED, data: { custodianTransferId, network, txHash } });
  const header = base64url.encode(JSON.stringify({ alg: 'RS512' }));
  const { Signature } = await kms.send(
    new SignCommand({
      KeyId: keyId,
      Message: Buffer.from(`${header}.${base64url.encode(body)}`),
      MessageType: 'RAW',
      SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_512',
    }),
  );
  return { body, signature: `${header}..${base64url.encode(Signature ?? new Uint8Array())}` };
}

async function verifyDetached(signatureHeader: string, rawBody: Buffer, key: KeyObject): Promise<void> {
  const [header = '', between, signature = '', ...rest] = signatureHeader.split('.');
  const isDetached = between === '' && rest.length === 0;
  try {
    if (!isDetached) throw new Error('not a detached JWS');
    const payload = base64url.encode(rawBody);
    await flattenedVerify({ protected: header, payload, signature }, key, { algorithms: ['RS512'] });
  } catch (error) {
    throw new Refusal('UNAUTHORIZED', { detail: 'The notification is not signed by the custodian.', cause: error });
  }
}
