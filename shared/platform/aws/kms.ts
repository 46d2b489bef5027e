import { createPublicKey, type KeyObject } from 'node:crypto';
import { DecryptCommand, EncryptCommand, GetPublicKeyCommand, type KMSClient, SignCommand } from '@aws-sdk/client-kms';
import { base64url, flattenedVerify } from 'jose';

/** The public half of a signing key. */
export type FetchPublicKey = () => Promise<KeyObject>;

/** The key never changes, so a function instance fetches it once, and again only after a failure. */
export function createFetchPublicKey(kms: KMSClient, keyId: string): FetchPublicKey {
  let fetched: Promise<KeyObject> | undefined;
  return () => {
    fetched ??= fetchPublicKey(kms, keyId).catch((error: unknown) => {
      fetched = undefined;
      throw error;
    });
    return fetched;
  };
}

async function fetchPublicKey(kms: KMSClient, keyId: string): Promise<KeyObject> {
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  return createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
}

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

/** @throws {BadSignature} when the key did not sign exactly these bytes. */
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

/** Signs bytes; returns the raw 64 bytes r and s of an ES256 signature. */
export type SignBytes = (message: Uint8Array) => Promise<Uint8Array>;

/** Signs with an ECC_NIST_P256 key, in the form that JWS requires (RFC 7518 §3.4). */
export function createSignEs256(kms: KMSClient, keyId: string): SignBytes {
  return async (message) => {
    const { Signature } = await kms.send(
      new SignCommand({ KeyId: keyId, Message: message, MessageType: 'RAW', SigningAlgorithm: 'ECDSA_SHA_256' }),
    );
    return rawSignature(Signature ?? new Uint8Array());
  };
}

/**
 * Converts KMS's signature from DER, SEQUENCE { INTEGER r, INTEGER s }, where leading zeros are missing or one too
 * many.
 */
export function rawSignature(der: Uint8Array): Uint8Array {
  const firstLength = der[3] ?? 0;
  const first = der.subarray(4, 4 + firstLength);
  const second = der.subarray(6 + firstLength);
  return Buffer.concat([first, second].map((integer) => Buffer.concat([Buffer.alloc(32), integer]).subarray(-32)));
}

/** Decrypts a text. @throws when it was encrypted with another key or context. */
export type Decrypt = (ciphertext: string, context: Readonly<Record<string, string>>) => Promise<string>;

/** Errors of a missing, unusable or different key: no further try can decrypt the text. */
const LOST: readonly string[] = [
  'IncorrectKeyException',
  'InvalidCiphertextException',
  'KMSInvalidStateException',
  'NotFoundException',
];

/** True if, according to KMS, the text can no longer be decrypted. */
export function isKeyLost(error: unknown): boolean {
  return error instanceof Error && LOST.includes(error.name);
}

export function createDecrypt(kms: KMSClient, keyId: string): Decrypt {
  return async (ciphertext, context) => {
    const { Plaintext } = await kms.send(
      new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: Buffer.from(ciphertext, 'base64'),
        EncryptionContext: { ...context },
      }),
    );
    if (Plaintext === undefined) throw new Error('KMS returned no decrypted text.');
    return Buffer.from(Plaintext).toString();
  };
}

/**
 * Encrypts a text of up to 4,096 bytes with a symmetric key, in base64. It is decrypted only with the same context, so
 * that a text that was encrypted for one thing cannot be used for another.
 */
export type Encrypt = (text: string, context: Readonly<Record<string, string>>) => Promise<string>;

export function createEncrypt(kms: KMSClient, keyId: string): Encrypt {
  return async (text, context) => {
    const { CiphertextBlob } = await kms.send(
      new EncryptCommand({ KeyId: keyId, Plaintext: Buffer.from(text), EncryptionContext: { ...context } }),
    );
    if (CiphertextBlob === undefined) throw new Error('KMS returned no encrypted text.');
    return Buffer.from(CiphertextBlob).toString('base64');
  };
}
