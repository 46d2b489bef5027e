import { type Decrypt, type Encrypt, isKeyLost } from '#shared/platform/aws/kms.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import type { CallError, DeliveryAttempt } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import type { CallResult, CallWebhook } from './call-webhook.ts';
import { signedHeaders } from './sign-webhook.ts';
import { BlockedUrl, type GuardTarget } from './ssrf-guard.ts';

/** Decrypts a `whsec_…` secret of the webhook. @throws when it cannot be decrypted. */
export type DecryptSecret = (ciphertext: string, webhookId: string) => Promise<string>;

/** The result of sending an event once. */
export type Attempt = CallResult &
  Pick<DeliveryAttempt, 'at' | 'durationMs'> & {
    /** True if the URL itself is blocked, whatever DNS answers. */
    readonly isUrlBlocked?: boolean;
  };

/** Sends an event to a webhook once. Rejects if it cannot be signed: then nothing is sent, and no attempt counts. */
export type SendEvent = (
  webhook: Webhook,
  event: { readonly eventId: string; readonly body: string },
) => Promise<Attempt>;

interface Dependencies {
  readonly guardUrl: GuardTarget;
  readonly decryptSecret: DecryptSecret;
  readonly callWebhook: CallWebhook;
  readonly clock: Clock;
}

/**
 * The only way to call clients' endpoints, for deliveries and tests: checks the URL again, and signs with all valid
 * secrets.
 */
export function createSendEvent({ guardUrl, decryptSecret, callWebhook, clock }: Dependencies): SendEvent {
  return async (webhook, { eventId, body }) => {
    const secrets = await decryptedSecrets(webhook, decryptSecret, clock.now());
    const at = clock.now();
    const headers = signedHeaders(secrets, { id: eventId, at, body });
    const result = await guardUrl(webhook.url).then(
      ({ url, addresses }) => callWebhook({ url, addresses, method: webhook.method, headers, body }),
      callErrorOf,
    );
    return { ...result, at: at.toISOString(), durationMs: clock.now().getTime() - at.getTime() };
  };
}

/** Leaves out a replaced secret whose key is lost, so that the new secret, created because of the loss, can sign. */
async function decryptedSecrets({ webhookId, secrets }: Webhook, decrypt: DecryptSecret, now: Date): Promise<string[]> {
  const live = secrets.filter(({ validUntil }) => validUntil === undefined || Date.parse(validUntil) > now.getTime());
  const decrypted = live.map(async ({ ciphertext, validUntil }) => {
    try {
      return await decrypt(ciphertext, webhookId);
    } catch (error) {
      if (validUntil === undefined || !isKeyLost(error)) throw error;
      log.warn('REPLACED_SECRET_LOST', { webhookId, cause: describe(error) });
      return undefined;
    }
  });
  return (await Promise.all(decrypted)).filter((secret) => secret !== undefined);
}

/** Maps the guard's refusal. A DNS fault may be repaired, so the call is retried; a blocked URL stays blocked. */
function callErrorOf(error: unknown): { readonly error: CallError; readonly isUrlBlocked?: boolean } {
  if (!(error instanceof BlockedUrl)) throw error;
  switch (error.fault) {
    case 'HOST_NOT_RESOLVED':
      return { error: 'DNS' };
    case 'ADDRESS_NOT_PUBLIC':
      return { error: 'BLOCKED' };
    default:
      return { error: 'BLOCKED', isUrlBlocked: true };
  }
}

/** Bytes; Standard Webhooks 1.0 asks for 24 to 64. */
const SECRET_BYTES = 32;

/** Returns a new secret of a webhook: in plain text for the client, and encrypted for the table. */
export type IssueSecret = (webhookId: string) => Promise<{ readonly secret: string; readonly ciphertext: string }>;

/** Secrets as Standard Webhooks 1.0 writes them: `whsec_` and the base64 of random bytes. */
export function createIssueSecret(encrypt: Encrypt, randomBytes: (size: number) => Buffer): IssueSecret {
  return async (webhookId) => {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
    return { secret, ciphertext: await encrypt(secret, { webhookId }) };
  };
}

/** Milliseconds for which a decrypted secret is cached, even if its key is disabled meanwhile. */
const KEPT_FOR = 5 * 60_000;

/** Decrypts a secret of the webhook that it was issued for, and caches it for five minutes. */
export function createDecryptSecret(decrypt: Decrypt, clock: Clock): DecryptSecret {
  const kept = new Map<string, { readonly secret: Promise<string>; readonly until: number }>();
  return (ciphertext, webhookId) => {
    const now = clock.now().getTime();
    for (const [key, { until }] of kept) if (until <= now) kept.delete(key);
    const key = `${webhookId}/${ciphertext}`;
    const known = kept.get(key);
    if (known !== undefined) return known.secret;
    const secret = decrypt(ciphertext, { webhookId });
    kept.set(key, { secret, until: now + KEPT_FOR });
    secret.catch(() => kept.delete(key));
    return secret;
  };
}
