import { MOST_WEBHOOKS, type Webhook } from '#shared/domain/webhook.ts';
import { WriteConflict } from '#shared/dynamodb/transaction.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { ChangeWebhook, CreateWebhook, RemoveWebhook } from '#shared/dynamodb/write-webhook.ts';
import { CLIENT, CREATED_AT, USER } from './off-ramp.ts';

export const WEBHOOK = '55555555-5555-4555-8555-555555555555';

/** An active webhook of the client, as it was registered. */
export function webhookOf(differences: Partial<Webhook> = {}): Webhook {
  return {
    clientId: CLIENT,
    webhookId: WEBHOOK,
    userId: USER,
    url: 'https://hooks.example.com/ramp',
    process: 'ramp',
    method: 'POST',
    status: true,
    createdAt: CREATED_AT,
    activeSince: CREATED_AT,
    sequence: 1,
    secrets: [{ sealed: 'sealed 0' }],
    ...differences,
  };
}

export interface WebhooksInMemory extends Webhooks {
  readonly create: CreateWebhook;
  readonly change: ChangeWebhook;
  readonly remove: RemoveWebhook;
  /** The webhook as it is kept now. */
  kept(webhookId?: string): Webhook | undefined;
  /** How often something was written. */
  writes(): number;
  /** Changes that others make, one before each of the next writes. */
  meanwhile(...changes: readonly Partial<Webhook>[]): void;
}

/** Keeps what the table keeps, under the same conditions. */
export function webhooksInMemory(...stored: readonly Webhook[]): WebhooksInMemory {
  const webhooks = new Map(stored.map((webhook) => [webhook.webhookId, webhook]));
  const others: Partial<Webhook>[] = [];
  let writes = 0;

  const overtake = (webhookId: string) => {
    const [current, change] = [webhooks.get(webhookId), others.shift()];
    if (current === undefined || change === undefined) return;
    webhooks.set(webhookId, { ...current, ...change, sequence: current.sequence + 1 });
  };

  return {
    kept: (webhookId = WEBHOOK) => webhooks.get(webhookId),
    writes: () => writes,
    meanwhile: (...changes) => {
      others.push(...changes);
    },
    async find(clientId, webhookId) {
      const found = webhooks.get(webhookId);
      return found?.clientId === clientId ? found : undefined;
    },
    async list(clientId) {
      return [...webhooks.values()].filter((webhook) => webhook.clientId === clientId);
    },
    async create(webhook) {
      const ofClient = [...webhooks.values()].filter(({ clientId }) => clientId === webhook.clientId);
      if (ofClient.length >= MOST_WEBHOOKS) return false;
      webhooks.set(webhook.webhookId, webhook);
      writes += 1;
      return true;
    },
    async remove(seen) {
      overtake(seen.webhookId);
      if (webhooks.get(seen.webhookId)?.sequence !== seen.sequence) throw new WriteConflict('changed meanwhile');
      webhooks.delete(seen.webhookId);
      writes += 1;
    },
    async change(seen, changes) {
      overtake(seen.webhookId);
      if (webhooks.get(seen.webhookId)?.sequence !== seen.sequence) throw new WriteConflict('changed meanwhile');
      const next = { ...seen, ...changes, sequence: seen.sequence + 1 };
      webhooks.set(seen.webhookId, next);
      writes += 1;
      return next;
    },
  };
}
