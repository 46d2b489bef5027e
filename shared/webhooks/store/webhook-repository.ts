import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { readable } from '#shared/platform/unreadable.ts';
import { MOST_ACTIVE_WEBHOOKS, MOST_WEBHOOKS, type Webhook, webhook } from '#shared/webhooks/model/webhook.ts';

/** In place of a webhook's id: the item beside a client's webhooks that counts them. It sorts before all ids. */
export const WEBHOOK_COUNT = '#count';

/** The one that counts the active ones of a process. It sorts before the count of all. */
export const activeCount = (process: Webhook['process']): string => `#active#${process}`;

/**
 * The client has as many webhooks as it may have; the message says whether in all or of the process. Nothing was
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
 * A webhook is found by its client and its own id together: another client's does not exist. Each way to write one is a
 * function of its own, so that a Lambda which only reads bundles none.
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
    const found = items.map((item) => readable(idOf(item), () => webhook.parse(item)));
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

    /** Those that can be read, for a list that leaves the others out. */
    listReadable: async (clientId: string) => (await list(clientId)).webhooks,
  };
}

export type Webhooks = ReturnType<typeof createWebhookRepository>;

/**
 * Writes an active webhook, whose id is a new one.
 *
 * @throws {TooManyWebhooks}
 * @throws {WriteConflict} when another one of the client was created, changed or removed at this moment
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
    // It exists already: an earlier try wrote it, and its answer was lost.
    if (failed.has('webhook')) return;
    if (failed.has('count')) throw new TooManyWebhooks(TOO_MANY);
    if (failed.has('active')) throw new TooManyWebhooks(tooManyActive(webhook));
  };
}

/** @throws {WriteConflict} when it was changed meanwhile, or another one was created or removed; nothing was written. */
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

/** Counts are written by nothing but what changes them, in the same transaction. */
const countUp = (counted: ReturnType<typeof counter>, most: number): TransactionLeg => ({
  Update: {
    ...counted,
    ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
    ExpressionAttributeValues: { ':step': 1, ':most': most },
  },
});

/** Never refused: it must always be possible to deactivate or remove a webhook. */
const countDown = (counted: ReturnType<typeof counter>): TransactionLeg => ({
  Update: { ...counted, ExpressionAttributeValues: { ':step': -1 } },
});

type Changes = Partial<
  Pick<Webhook, 'url' | 'method' | 'status' | 'statusReason' | 'deactivatedAt' | 'activeSince' | 'secrets'>
>;

/**
 * Writes what was decided on the webhook as it was read, and returns it as it is now.
 *
 * @throws {TooManyWebhooks} when it was to be active again
 * @throws {WriteConflict} when it was changed meanwhile; nothing was written.
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
