import { DecryptCommand, type KMSClient } from '@aws-sdk/client-kms';

/** The text that was encrypted with the same key and context. @throws when key or context is another. */
export type Decrypt = (sealed: string, context: Readonly<Record<string, string>>) => Promise<string>;

export function createDecrypt(kms: KMSClient, keyId: string): Decrypt {
  return async (sealed, context) => {
    const { Plaintext } = await kms.send(
      new DecryptCommand({
        KeyId: keyId,
        CiphertextBlob: Buffer.from(sealed, 'base64'),
        EncryptionContext: { ...context },
      }),
    );
    if (Plaintext === undefined) throw new Error('KMS returned no decrypted text.');
    return Buffer.from(Plaintext).toString();
  };
}
