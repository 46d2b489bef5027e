import { createPublicKey, type KeyObject } from 'node:crypto';
import { GetPublicKeyCommand, type KMSClient } from '@aws-sdk/client-kms';

/** The public half of a signing key. It never changes, so a function instance fetches it once. */
export async function fetchPublicKey(kms: KMSClient, keyId: string): Promise<KeyObject> {
  const { PublicKey } = await kms.send(new GetPublicKeyCommand({ KeyId: keyId }));
  return createPublicKey({ key: Buffer.from(PublicKey ?? []), format: 'der', type: 'spki' });
}
