import { type DynamoDBDocumentClient, GetCommand, paginateQuery, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { MOST_WEBHOOKS, type Webhook, webhook } from './webhook.ts';

/** In place of a webhook's id: the item beside a client's webhooks that counts them. It sorts before all ids. */
export const WEBHOOK_COUNT = '#count';

/**
 * A webhook is found by its client and its own id together: another client's does not exist. Each way to write one is a
 * function of its own, so that a Lambda which only reads bundles none.
 */
export function createWebhookStore(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async find(clientId: string, webhookId: string): Promise<Webhook | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: { clientId, webhookId }, ConsistentRead: true }),
      );
      return Item && webhook.parse(Item);
    },

    /** All of a client's webhooks, oldest first. */
    async list(clientId: string): Promise<readonly Webhook[]> {
      const pages = paginateQuery(
        { client: dynamo },
        {
          TableName: table,
          KeyConditionExpression: 'clientId = :client AND webhookId > :count',
          ExpressionAttributeValues: { ':client': clientId, ':count': WEBHOOK_COUNT },
          ConsistentRead: true,
        },
      );
      const found: Webhook[] = [];
      for await (const { Items = [] } of pages) found.push(...Items.map((item) => webhook.parse(item)));
      return found.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhookStore>;

/**
 * False when the client has the most webhooks allowed; then nothing was written. The webhook's id is a new one.
 *
 * @throws {WriteConflict} when another one of the client was created or removed at this moment
 */
export type CreateWebhook = (webhook: Webhook) => Promise<boolean>;

export function createCreateWebhook(dynamo: DynamoDBDocumentClient, table: string): CreateWebhook {
  return async (webhook) => {
    const Item = { ...webhook };
    const failed = await transact(dynamo, {
      webhook: { Put: { TableName: table, Item, ConditionExpression: 'attribute_not_exists(webhookId)' } },
      count: countBy(1, table, webhook.clientId),
    });
    // It exists already: an earlier try wrote it, and its answer was lost.
    return failed.has('webhook') || !failed.has('count');
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
      count: countBy(-1, table, clientId),
    });
    if (failed.size > 0) throw new WriteConflict('The webhook was changed meanwhile.');
  };
}

/** How many webhooks a client has is written by nothing but their creation and removal, in the same transaction. */
function countBy(step: 1 | -1, table: string, clientId: string): TransactionLeg {
  return {
    Update: {
      TableName: table,
      Key: { clientId, webhookId: WEBHOOK_COUNT },
      UpdateExpression: 'ADD #count :step',
      ConditionExpression: step === 1 ? 'attribute_not_exists(#count) OR #count < :bound' : '#count > :bound',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: { ':step': step, ':bound': step === 1 ? MOST_WEBHOOKS : 0 },
    },
  };
}

type Changes = Partial<Pick<Webhook, 'url' | 'method' | 'status' | 'statusReason' | 'activeSince' | 'secrets'>>;

/**
 * Writes what was decided on the webhook as it was read, and returns it as it is now.
 *
 * @throws {WriteConflict} when it was changed meanwhile; nothing was written.
 */
export type ChangeWebhook = (seen: Webhook, changes: Changes) => Promise<Webhook>;

export function createChangeWebhook(dynamo: DynamoDBDocumentClient, table: string): ChangeWebhook {
  return async (seen, changes) => {
    const { clientId, webhookId } = seen;
    const sequence = seen.sequence + 1;
    const { expression, names, values } = assignments({ ...changes, sequence });
    const update = new UpdateCommand({
      TableName: table,
      Key: { clientId, webhookId },
      UpdateExpression: expression,
      ConditionExpression: '#sequence = :seen',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: { ...values, ':seen': seen.sequence },
    });
    const written = await unlessConditionFails(dynamo.send(update));
    if (written === undefined) throw new WriteConflict('The webhook was changed meanwhile.');
    return { ...seen, ...changes, sequence };
  };
}
