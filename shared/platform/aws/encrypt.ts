import { EncryptCommand, type KMSClient } from '@aws-sdk/client-kms';

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
