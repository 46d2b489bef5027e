import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { type TransactionLeg, transact, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { MOST_WEBHOOKS, type Webhook } from './webhook.ts';
import { WEBHOOK_COUNT } from './webhook-store.ts';

/**
 * False when the client has as many as it may have; then nothing was written. The webhook's id is a new one.
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
    // There already: it was written by an earlier try, whose answer was lost.
    return failed.has('webhook') || !failed.has('count');
  };
}

/** @throws {WriteConflict} when it was changed meanwhile, or another one was created or removed; nothing was written. */
export type RemoveWebhook = (seen: Webhook) => Promise<void>;

export function createWebhookRemover(dynamo: DynamoDBDocumentClient, table: string): RemoveWebhook {
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
