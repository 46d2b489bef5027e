import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Webhook } from '#shared/domain/webhook.ts';
import { toItem } from './client.ts';
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
    const values = Object.entries({ ...changes, sequence });
    const [set, removed] = [values.filter(isSet), values.filter((entry) => !isSet(entry))];
    const named = (entries: typeof values, form: (name: string) => string) =>
      entries.map(([name]) => form(name)).join(', ');
    try {
      await dynamo.send(
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ clientId, webhookId }),
          UpdateExpression: `SET ${named(set, (name) => `#${name} = :${name}`)}${
            removed.length === 0 ? '' : ` REMOVE ${named(removed, (name) => `#${name}`)}`
          }`,
          ConditionExpression: '#sequence = :seen',
          ExpressionAttributeNames: Object.fromEntries(values.map(([name]) => [`#${name}`, name])),
          ExpressionAttributeValues: toItem({
            ...Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])),
            ':seen': seen.sequence,
          }),
        }),
      );
      return { ...seen, ...changes, sequence };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      throw new WriteConflict('The webhook was changed meanwhile.', { cause: error });
    }
  };
}

/** What a change sets to nothing is taken away. */
function isSet([, value]: readonly [string, unknown]): boolean {
  return value !== undefined;
}
