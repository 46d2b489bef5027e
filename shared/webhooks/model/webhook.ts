import * as z from 'zod/mini';
import { documentValues } from '#shared/platform/http/document.ts';
import { id, instant } from '#shared/platform/http/fields.ts';

/** How a webhook is called (interface 2.9). */
const webhookMethod = z.enum(['POST', 'PUT']);

documentValues('WebhookMethod', webhookMethod, "The HTTP method of a webhook's calls.", {
  POST: 'By POST.',
  PUT: 'By PUT.',
});

/** What a webhook can monitor (decisions.md 7, Event types). */
const webhookProcess = z.enum(['ramp', 'compliance', 'wallet_transfer']);

documentValues('WebhookProcess', webhookProcess, 'The process of a webhook.', {
  ramp: 'Pay-ins and off-ramps: events whose type begins with `ramp.`.',
  compliance: 'Compliance reviews: events whose type begins with `compliance.`.',
  wallet_transfer: 'Transfers between wallets: events whose type begins with `wallet_transfer.`.',
});

const deactivationReason = z.enum(['ENDPOINT_GONE', 'ENDPOINT_FAILING', 'BY_OPERATOR']);

documentValues('DeactivationReason', deactivationReason, 'Why the service deactivated a webhook.', {
  ENDPOINT_GONE: 'The endpoint answered 410.',
  ENDPOINT_FAILING: 'The endpoint has failed for five days.',
  BY_OPERATOR: 'An operator of the service deactivated it: ask them why.',
});

/** Most webhooks of a client, active or not (decisions.md 7, How many). */
export const MOST_WEBHOOKS = 100;

/** Most active webhooks of a client for one process. */
export const MOST_ACTIVE_WEBHOOKS = 10;

/** Most characters of a webhook's address. */
export const LONGEST_WEBHOOK_URL = 2048;

const encryptedSecret = z.object({
  /** The secret, encrypted with a key of KMS for this webhook alone. */
  ciphertext: z.string(),
  /** When a replaced secret stops signing; absent on the current secret. */
  validUntil: z.optional(instant),
});

type EncryptedSecret = Readonly<z.infer<typeof encryptedSecret>>;

/** Where a client's notifications go. */
export const webhook = z.object({
  clientId: id,
  webhookId: id,
  /** The user for whom it was registered; it does not filter events. */
  userId: id,
  /** As the client wrote it. */
  url: z.string(),
  process: webhookProcess,
  method: webhookMethod,
  /** An inactive webhook sends nothing and keeps its configuration (interface 3.4). */
  status: z.boolean(),
  /** Only if the service deactivated it. */
  statusReason: z.optional(deactivationReason),
  /** When it was deactivated: later events, and earlier waiting or paused ones, were missed. Absent on older items. */
  deactivatedAt: z.optional(instant),
  createdAt: instant,
  /** Only events from this time on are delivered. */
  activeSince: instant,
  /** Grows by one with every write of the configuration. A write fails if the sequence has grown since the read. */
  sequence: z.int(),
  /** The secrets that sign deliveries, newest first. */
  secrets: z.readonly(z.array(encryptedSecret)),
});

export type Webhook = Readonly<z.infer<typeof webhook>>;

/** Seconds for which a replaced secret still signs. */
const GRACE = 24 * 3600;

/** The current secret and the two before it. */
const MOST_SECRETS = 3;

/** Returns the secrets after a rotation, the new one first. */
export function rotatedSecrets(
  secrets: readonly EncryptedSecret[],
  ciphertext: string,
  now: Date,
): readonly EncryptedSecret[] {
  const graceEnds = new Date(now.getTime() + GRACE * 1000).toISOString();
  const replaced = secrets
    .map((secret) => ({ ciphertext: secret.ciphertext, validUntil: secret.validUntil ?? graceEnds }))
    .filter(({ validUntil }) => validUntil > now.toISOString());
  return [{ ciphertext }, ...replaced].slice(0, MOST_SECRETS);
}

/** Milliseconds. */
const DAY = 24 * 3600_000;

/** After a circuit has been open this long, its webhook gets no new deliveries (decisions.md 10, Paused webhooks). */
const PAUSED_AFTER = DAY;

/** Time between two probes of an endpoint whose webhook is paused. */
const PROBED_EVERY = 30 * 60_000;

/** Time from the end of a pause to the replay: by then no function works with an older health. */
const REPLAYED_AFTER = 3 * 60_000;

/** The part of a webhook's health about its pause, and about events missed in an ended pause. */
export const webhookPause = z.object({
  /** Since when the circuit has been open, half open in between; no call has succeeded since then. */
  openSince: z.optional(instant),
  /** Events missed since `since` are sent at `replayAt`; the search covers everything up to `replayAt`. */
  missed: z.optional(z.object({ since: instant, replayAt: instant })),
  /** When the last probe was sent. */
  probedAt: z.optional(instant),
});

export type WebhookPause = Readonly<z.infer<typeof webhookPause>>;

/**
 * Since when a webhook gets no new deliveries; `undefined` if it does. It is derived, not stored, so that every
 * function that creates a delivery gets the same answer.
 */
export function pausedSince({ openSince }: WebhookPause, now: Date): string | undefined {
  if (openSince === undefined) return undefined;
  const at = Date.parse(openSince) + PAUSED_AFTER;
  return at <= now.getTime() ? new Date(at).toISOString() : undefined;
}

/** Returns what remains of a pause that ends now: the missed events that are to be sent. */
export function missedAfterPause({ missed, openSince }: WebhookPause, now: Date): Pick<WebhookPause, 'missed'> {
  const since = pausedSince({ openSince }, now);
  if (since === undefined) return missed === undefined ? {} : { missed };
  const replayAt = new Date(now.getTime() + REPLAYED_AFTER).toISOString();
  return { missed: { since: missed?.since ?? since, replayAt } };
}

/** When to act: to replay missed events, or to probe the endpoint of a pause. */
export function nextActionAt({ missed, ...pause }: WebhookPause): string | undefined {
  return missed?.replayAt ?? nextProbeAt(pause);
}

/** When to probe a webhook that is paused by then. Its earlier deliveries are retried as always. */
export function nextProbeAt({ openSince, probedAt }: WebhookPause): string | undefined {
  if (openSince === undefined) return undefined;
  const begins = Date.parse(openSince) + PAUSED_AFTER;
  const again = probedAt === undefined ? begins : Date.parse(probedAt) + PROBED_EVERY;
  return new Date(Math.max(begins, again)).toISOString();
}
