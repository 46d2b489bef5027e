import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Webhook } from '#shared/domain/webhook.ts';
import {
  type Circuit,
  circuitOf,
  type Finding,
  healthOf,
  probing,
  settle,
  type WebhookHealth,
} from '#shared/domain/webhook-health.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { fromItem, toItem } from './client.ts';
import { unlessConditionFails } from './condition.ts';
import { decideAgain } from './decide-again.ts';
import { healthExpiry } from './expiry.ts';
import { WriteConflict } from './transaction.ts';

const healthItem = z.object({
  version: z.int(),
  configuration: z.int(),
  failures: z.int(),
  parkedUntil: z.optional(z.string()),
  parkMinutes: z.optional(z.number()),
  probe: z.optional(z.string()),
  failingSince: z.optional(z.string()),
  lastFailureAt: z.optional(z.string()),
});

export type Admission = { readonly state: 'ADMITTED' } | { readonly state: 'PARKED'; readonly until: string };

type Configured = Pick<Webhook, 'webhookId' | 'sequence'>;

/**
 * The breaker of each webhook, decided by shared/domain/webhook-health.ts on what was read and written only if that still
 * stands.
 */
export function webhookHealthIn(dynamo: DynamoDBClient, table: string, clock: Clock) {
  const read = async ({ webhookId, sequence }: Configured): Promise<{ version: number; health: WebhookHealth }> => {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: table, Key: toItem({ webhookId }), ConsistentRead: true }),
    );
    if (Item === undefined) return { version: 0, health: healthOf(sequence) };
    const { version, ...health } = fromItem(healthItem, Item);
    return { version, health };
  };

  const write = async (webhookId: string, seen: number, health: WebhookHealth): Promise<void> => {
    const put = new PutItemCommand({
      TableName: table,
      Item: toItem({ ...health, webhookId, version: seen + 1, expiresAt: healthExpiry(clock.now()) }),
      ConditionExpression: 'attribute_not_exists(webhookId) OR version = :seen',
      ExpressionAttributeValues: toItem({ ':seen': seen }),
    });
    const written = await unlessConditionFails(dynamo.send(put));
    if (written === undefined) throw new WriteConflict('The health of the webhook was written meanwhile.');
  };

  return {
    async circuit(webhook: Configured): Promise<Circuit> {
      const { health } = await read(webhook);
      return circuitOf(health, webhook.sequence, clock.now());
    },

    /** Whether an attempt may be made now. Of those that ask while the circuit is half open, one is admitted: the probe. */
    admit: (webhook: Configured, token: string): Promise<Admission> =>
      decideAgain(clock, async () => {
        const { version, health } = await read(webhook);
        const circuit = circuitOf(health, webhook.sequence, clock.now());
        if (circuit.state === 'OPEN') return { state: 'PARKED', until: circuit.until };
        if (circuit.state === 'HALF_OPEN') {
          await write(webhook.webhookId, version, probing(health, webhook.sequence, token, clock.now()));
        }
        return { state: 'ADMITTED' };
      }),

    /** What an attempt came to. */
    settle: (webhook: Configured, token: string, succeeded: boolean): Promise<Finding | undefined> =>
      decideAgain(clock, async () => {
        const { version, health } = await read(webhook);
        const result = { token, succeeded, now: clock.now(), configuration: webhook.sequence };
        const settled = settle(health, result);
        if (settled.health !== undefined) await write(webhook.webhookId, version, settled.health);
        return settled.finding;
      }),
  };
}

export type WebhookHealths = ReturnType<typeof webhookHealthIn>;
