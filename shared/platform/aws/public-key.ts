import { createPublicKey, type KeyObject } from 'node:crypto';
import { GetPublicKeyCommand, type KMSClient } from '@aws-sdk/client-kms';

/** The public half of a signing key. */
export type FetchPublicKey = () => Promise<KeyObject>;

/** The key never changes, so a function instance fetches it once; again only where that failed. */
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
