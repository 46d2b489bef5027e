import { type Webhook, webhook } from '#shared/webhooks/model/webhook.ts';
import {
  activeCount,
  type ChangeWebhook,
  createChangeWebhook,
  createCreateWebhook,
  createRemoveWebhook,
  createWebhookRepository,
  type RemoveWebhook,
  WEBHOOK_COUNT,
} from '#shared/webhooks/store/webhook-repository.ts';
import { CLIENT, USER, WEBHOOK } from './ids.ts';
import { CREATED_AT } from './off-ramp.ts';
import { tablesInMemory } from './tables-in-memory.ts';

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
    secrets: [{ ciphertext: 'ciphertext 0' }],
    ...differences,
  };
}

/** The table of webhooks in memory. */
export function webhooksInMemory(...stored: readonly Webhook[]) {
  const { dynamo, table: tableNamed, writes } = tablesInMemory();
  const table = tableNamed('webhooks');
  for (const webhook of stored) table.put({ ...webhook });
  for (const [clientId, { length: count }] of Map.groupBy(stored, (webhook) => webhook.clientId)) {
    table.put({ clientId, webhookId: WEBHOOK_COUNT, count });
  }
  const active = Map.groupBy(
    stored.filter(({ status }) => status),
    ({ clientId, process }) => `${clientId} ${activeCount(process)}`,
  );
  for (const [key, { length: count }] of active) {
    const [clientId, webhookId] = key.split(' ');
    table.put({ clientId, webhookId, count });
  }
  const others: Partial<Webhook>[] = [];
  const overtake = ({ clientId, webhookId }: Webhook) => {
    const [item, change] = [table.find({ clientId, webhookId }), others.shift()];
    if (item === undefined || change === undefined) return;
    const current = webhook.parse(item);
    table.put({ ...current, ...change, sequence: current.sequence + 1 });
  };
  const [changeNow, removeNow] = [createChangeWebhook(dynamo, 'webhooks'), createRemoveWebhook(dynamo, 'webhooks')];
  const change: ChangeWebhook = (seen, changes) => {
    overtake(seen);
    return changeNow(seen, changes);
  };
  const remove: RemoveWebhook = (seen) => {
    overtake(seen);
    return removeNow(seen);
  };
  return {
    ...createWebhookRepository(dynamo, 'webhooks'),
    create: createCreateWebhook(dynamo, 'webhooks'),
    change,
    remove,
    /** An item of the table, readable or not. */
    put: (item: Readonly<Record<string, unknown>>): void => table.put(item),
    /** The webhook as it is stored now. */
    kept(webhookId = WEBHOOK): Webhook | undefined {
      const item = table.items().find((one) => one['webhookId'] === webhookId);
      return item && webhook.parse(item);
    },
    /** The number of writes. */
    writes,
    /** Sets concurrent changes, one before each of the next writes. */
    meanwhile: (...changes: readonly Partial<Webhook>[]): void => void others.push(...changes),
  };
}
