/** What a webhook can monitor, and how it is called (interface 2.9, decisions.md 7). */
export const webhookProcesses = ['ramp', 'compliance', 'wallet_transfer'] as const;
export const webhookMethods = ['POST', 'PUT'] as const;

/** Webhooks of a client, active or not (decisions.md 7, How many). */
export const MOST_WEBHOOKS = 100;

/** Characters of a webhook's address. */
export const LONGEST_WEBHOOK_URL = 2048;

/** Why the service itself deactivated a webhook: the endpoint answered 410, or nothing good for five days. */
export const deactivationReasons = ['ENDPOINT_GONE', 'ENDPOINT_FAILING'] as const;

/** Where a client's notifications go. */
export interface Webhook {
  readonly clientId: string;
  readonly webhookId: string;
  /** Whom it was set up for; it does not filter what is delivered. */
  readonly userId: string;
  /** As the client wrote it. */
  readonly url: string;
  readonly process: (typeof webhookProcesses)[number];
  readonly method: (typeof webhookMethods)[number];
  /** An inactive webhook sends nothing and keeps its configuration (interface 3.4). */
  readonly status: boolean;
  /** Only of one that the service deactivated. */
  readonly statusReason?: (typeof deactivationReasons)[number] | undefined;
  readonly createdAt: string;
  /** Only what happens from then on is delivered. */
  readonly activeSince: string;
  /** Grows by one with every write of the configuration, which is conditional on the one it was decided on. */
  readonly sequence: number;
  /** Those that deliveries are signed with, newest first. */
  readonly secrets: readonly SealedSecret[];
}

interface SealedSecret {
  /** The secret, encrypted with a key of KMS for this webhook alone. */
  readonly sealed: string;
  /** Until when a replaced secret still signs; the current one has no end. */
  readonly validUntil?: string | undefined;
}

/** Seconds for which a replaced secret still signs. */
const GRACE = 24 * 3600;

/** The current one and two before it. */
const MOST_SECRETS = 3;

/** The secrets once a new one has become the current one. */
export function rotatedSecrets(secrets: readonly SealedSecret[], sealed: string, now: Date): readonly SealedSecret[] {
  const graceEnds = new Date(now.getTime() + GRACE * 1000).toISOString();
  const replaced = secrets
    .map((secret) => ({ sealed: secret.sealed, validUntil: secret.validUntil ?? graceEnds }))
    .filter(({ validUntil }) => validUntil > now.toISOString());
  return [{ sealed }, ...replaced].slice(0, MOST_SECRETS);
}
