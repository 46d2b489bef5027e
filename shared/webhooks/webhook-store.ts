import { type DynamoDBDocumentClient, GetCommand, paginateQuery } from '@aws-sdk/lib-dynamodb';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { type Webhook, webhook } from './webhook.ts';

export function parseWebhook(item: Item): Webhook {
  return webhook.parse(item);
}

/** In place of a webhook's id: the item beside a client's webhooks that counts them. Before all ids in their order. */
export const WEBHOOK_COUNT = '#count';

/** A webhook is found by its client and its own id together: another client's does not exist. */
export function createWebhookStore(dynamo: DynamoDBDocumentClient, table: string) {
  return {
    async find(clientId: string, webhookId: string): Promise<Webhook | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: { clientId, webhookId }, ConsistentRead: true }),
      );
      return Item && parseWebhook(Item);
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
      for await (const { Items = [] } of pages) found.push(...Items.map(parseWebhook));
      return found.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt));
    },
  };
}

export type Webhooks = ReturnType<typeof createWebhookStore>;
