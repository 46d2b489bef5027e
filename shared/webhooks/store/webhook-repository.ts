import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';
import { MOST_ACTIVE_WEBHOOKS, MOST_WEBHOOKS, type Webhook, webhook } from '#shared/webhooks/model/webhook.ts';

/** Sort key of the item that counts a client's webhooks, in place of a webhook's id. It sorts before all ids. */
export const WEBHOOK_COUNT = '#count';

/** Sort key of the item that counts a client's active webhooks of a process. It sorts before `WEBHOOK_COUNT`. */
export const activeCount = (process: Webhook['process']): string => `#active#${process}`;

/**
 * The client has reached its limit of webhooks, or of active ones of the process; the message says which. Nothing was
 * written.
 */
export class TooManyWebhooks extends Error {
  override readonly name = 'TooManyWebhooks';
}

interface WebhooksOfClient {
  readonly webhooks: readonly Webhook[];
  readonly unreadableIds: readonly string[];
}

/**
 * Finds a webhook by client id and webhook id together: another client's webhook does not exist. Each kind of write is
 * a separate function, so that a Lambda that only reads bundles none of them.
 */
export function createWebhookRepository(dynamo: DynamoDBDocumentClient, table: string) {
  /** Oldest first, without those that cannot be read. */
  async function list(clientId: string): Promise<WebhooksOfClient> {
    const pages = paginateQuery(
      { client: dynamo },
      {
        TableName: table,
        KeyConditionExpression: 'clientId = :client AND webhookId > :count',
        ExpressionAttributeValues: { ':client': clientId, ':count': WEBHOOK_COUNT },
        ConsistentRead: true,
      },
    );
    const items: Item[] = [];
    for await (const { Items = [] } of pages) items.push(...Items);
    const idOf = (item: Item) => String(item['webhookId']);
    const found = items.map((item) => parseReadable(idOf(item), () => webhook.parse(item)));
    return {
      webhooks: found
        .filter((one) => one !== undefined)
        .toSorted((one, other) => one.createdAt.localeCompare(other.createdAt)),
      unreadableIds: items.filter((_, position) => found[position] === undefined).map(idOf),
    };
  }

  return {
    async find(clientId: string, webhookId: string): Promise<Webhook | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: { clientId, webhookId }, ConsistentRead: true }),
      );
      return Item && webhook.parse(Item);
    },

    /** All of a client's webhooks. */
    list,

    /** The readable webhooks of a client, for a list that leaves out the others. */
    listReadable: async (clientId: string) => (await list(clientId)).webhooks,
  };
}

export type Webhooks = ReturnType<typeof createWebhookRepository>;

/**
 * Writes an active webhook with a new id.
 *
 * @throws {TooManyWebhooks}
 * @throws {WriteConflict} when another webhook of the client was created, changed or removed at this moment
 */
export type CreateWebhook = (webhook: Webhook) => Promise<void>;

export function createCreateWebhook(dynamo: DynamoDBDocumentClient, table: string): CreateWebhook {
  return async (webhook) => {
    const Item = { ...webhook };
    const failed = await transact(dynamo, {
      webhook: { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(webhookId)' } },
      count: countUp(counter(table, webhook.clientId, WEBHOOK_COUNT), MOST_WEBHOOKS),
      active: countUp(counter(table, webhook.clientId, activeCount(webhook.process)), MOST_ACTIVE_WEBHOOKS),
    });
    // The webhook exists already: an earlier try wrote it, and its answer was lost.
    if (failed.has('webhook')) return;
    if (failed.has('count')) throw new TooManyWebhooks(TOO_MANY);
    if (failed.has('active')) throw new TooManyWebhooks(tooManyActive(webhook));
  };
}

/** @throws {WriteConflict} when it, or the number of webhooks, was changed meanwhile; nothing was written. */
export type RemoveWebhook = (seen: Webhook) => Promise<void>;

export function createRemoveWebhook(dynamo: DynamoDBDocumentClient, table: string): RemoveWebhook {
  return async ({ clientId, webhookId, sequence }) => {
    const failed = await transact(dynamo, {
      webhook: {
        Delete: {
          TableName: table,
          Key: { clientId, webhookId },
          ConditionExpression: '#sequence = :seen',
          ExpressionAttributeNames: { '#sequence': 'sequence' },
          ExpressionAttributeValues: { ':seen': sequence },
        },
      },
      count: countDown(counter(table, clientId, WEBHOOK_COUNT)),
    });
    if (failed.size > 0) throw new WriteConflict('The webhook was changed meanwhile.');
  };
}

const TOO_MANY = `The client has ${MOST_WEBHOOKS} webhooks, active and inactive. Remove an inactive one first.`;

const tooManyActive = ({ process }: Webhook): string =>
  `The client has ${MOST_ACTIVE_WEBHOOKS} active webhooks of the process ${process}. Deactivate one of them first.`;

const counter = (table: string, clientId: string, webhookId: string) => ({
  TableName: table,
  Key: { clientId, webhookId },
  UpdateExpression: 'ADD #count :step',
  ExpressionAttributeNames: { '#count': 'count' },
});

/** A count is written only in the transaction that changes the number of webhooks. */
const countUp = (counted: ReturnType<typeof counter>, most: number): TransactionLeg => ({
  Update: {
    ...counted,
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
    ExpressionAttributeValues: { ':step': 1, ':most': most },
  },
});

/** Has no condition: it must always be possible to deactivate or remove a webhook. */
const countDown = (counted: ReturnType<typeof counter>): TransactionLeg => ({
  Update: { ...counted, ExpressionAttributeValues: { ':step': -1 } },
});

type Changes = Partial<
  Pick<Webhook, 'url' | 'method' | 'status' | 'statusReason' | 'deactivatedAt' | 'activeSince' | 'secrets'>
>;

/**
 * Changes the webhook that was read, and returns the changed webhook.
 *
 * @throws {TooManyWebhooks} when the change reactivates the webhook and the limit is reached
 * @throws {WriteConflict} when the webhook was changed meanwhile; nothing was written.
 */
export type ChangeWebhook = (seen: Webhook, changes: Changes) => Promise<Webhook>;

export function createChangeWebhook(dynamo: DynamoDBDocumentClient, table: string): ChangeWebhook {
  return async (seen, changes) => {
    const { clientId, webhookId } = seen;
    const changed = { ...seen, ...changes, sequence: seen.sequence + 1 };
    const { expression, names, values } = assignments({ ...changes, sequence: changed.sequence });
    const update = {
      TableName: table,
      Key: { clientId, webhookId },
      UpdateExpression: expression,
      ConditionExpression: '#sequence = :seen',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':seen': seen.sequence },
    };
    const active = counter(table, clientId, activeCount(seen.process));
    const failed = await transact(dynamo, {
      webhook: { Update: update },
      ...(changed.status && !seen.status && { active: countUp(active, MOST_ACTIVE_WEBHOOKS) }),
      ...(!changed.status && seen.status && { active: countDown(active) }),
    });
    if (failed.has('webhook')) throw new WriteConflict('The webhook was changed meanwhile.');
    if (failed.has('active')) throw new TooManyWebhooks(tooManyActive(seen));
    return changed;
  };
}
