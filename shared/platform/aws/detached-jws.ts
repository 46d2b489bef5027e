import type { KeyObject } from 'node:crypto';
import { type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { base64url, flattenedVerify } from 'jose';

/** A detached JWS (RS512) over raw bytes, the form in which providers sign their notifications. */
export async function signDetached(kms: KMSClient, keyId: string, body: string): Promise<string> {
  const header = base64url.encode(JSON.stringify({ alg: 'RS512' }));
  const { Signature } = await kms.send(
    new SignCommand({
      KeyId: keyId,
      Message: Buffer.from(`${header}.${base64url.encode(body)}`),
      MessageType: 'RAW',
      SigningAlgorithm: 'RSASSA_PKCS1_V1_5_SHA_512',
    }),
  );
  return `${header}..${base64url.encode(Signature ?? new Uint8Array())}`;
}

/** The message is not signed by its expected sender. */
export class BadSignature extends Error {
  override readonly name = 'BadSignature';
}

/** @throws {BadSignature} when the key did not sign these very bytes. */
export async function verifyDetached(signatureHeader: string, rawBody: Buffer, key: KeyObject): Promise<void> {
  const [header = '', between, signature = '', ...rest] = signatureHeader.split('.');
  if (between !== '' || rest.length > 0) throw new BadSignature('not a detached JWS');
  const payload = base64url.encode(rawBody);
  try {
    await flattenedVerify({ protected: header, payload, signature }, key, { algorithms: ['RS512'] });
  } catch (error) {
    throw new BadSignature('not a signature of these bytes', { cause: error });
  }
}
