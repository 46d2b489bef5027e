import { DecryptCommand, EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';

/** The text that was encrypted with the same key and context. @throws when key or context is another. */
export type Decrypt = (ciphertext: string, context: Readonly<Record<string, string>>) => Promise<string>;

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
