import type { Decrypt } from '#shared/platform/aws/decrypt.ts';
import type { Encrypt } from '#shared/platform/aws/encrypt.ts';
import type { OpenSecret } from './send-event.ts';

/** Bytes; Standard Webhooks 1.0 asks for 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret of a webhook: as its client gets it, and as it is kept. */
export type IssueSecret = (webhookId: string) => Promise<{ readonly secret: string; readonly sealed: string }>;

/** Secrets as Standard Webhooks 1.0 writes them: `whsec_` and the base64 of random bytes. */
export function createIssueSecret(encrypt: Encrypt, randomBytes: (size: number) => Buffer): IssueSecret {
  return async (webhookId) => {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { secret, sealed: await encrypt(secret, { webhookId }) };
  };
}

/** Decrypts a secret of the webhook that it was issued for. */
export function createOpenSecret(decrypt: Decrypt): OpenSecret {
  return (sealed, webhookId) => decrypt(sealed, { webhookId });
}
