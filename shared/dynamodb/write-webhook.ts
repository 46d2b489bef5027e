import { type DynamoDBClient, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Webhook } from '#shared/domain/webhook.ts';
import { assignments } from './assignments.ts';
import { toItem } from './client.ts';
import { unlessConditionFails } from './condition.ts';
import { WriteConflict } from './transaction.ts';

export type CreateWebhook = (webhook: Webhook) => Promise<void>;

export function webhookCreator(dynamo: DynamoDBClient, table: string): CreateWebhook {
  return async (webhook) => {
    await dynamo.send(
      new PutItemCommand({
        TableName: table,
        Item: toItem({ ...webhook }),
        ConditionExpression: 'attribute_not_exists(webhookId)',
      }),
    );
  };
}

type Changes = Partial<Pick<Webhook, 'url' | 'method' | 'status' | 'statusReason' | 'activeSince' | 'secrets'>>;

/**
 * Writes what was decided on the webhook as it was read, and returns it as it is now.
 *
 * @throws {WriteConflict} when it was changed meanwhile; nothing was written.
 */
export type ChangeWebhook = (seen: Webhook, changes: Changes) => Promise<Webhook>;

export function webhookChanger(dynamo: DynamoDBClient, table: string): ChangeWebhook {
  return async (seen, changes) => {
    const { clientId, webhookId } = seen;
    const sequence = seen.sequence + 1;
    const { expression, names, values } = assignments({ ...changes, sequence });
    const update = new UpdateItemCommand({
      TableName: table,
      Key: toItem({ clientId, webhookId }),
      UpdateExpression: expression,
      ConditionExpression: '#sequence = :seen',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: toItem({ ...values, ':seen': seen.sequence }),
    });
    const written = await unlessConditionFails(dynamo.send(update));
    if (written === undefined) throw new WriteConflict('The webhook was changed meanwhile.');
    return { ...seen, ...changes, sequence };
  };
}
