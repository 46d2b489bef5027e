import { type DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { Refusal } from '#shared/domain/refusal.ts';
import type { Webhook } from '#shared/domain/webhook.ts';
import {
  type Admission,
  admit,
  type Finding,
  healthOf,
  release,
  settle,
  type WebhookHealth,
} from '#shared/domain/webhook-health.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { fromItem, toItem } from './client.ts';
import { unlessConditionFails } from './condition.ts';
import { decideAgain } from './decide-again.ts';
import { WriteConflict } from './transaction.ts';

const healthItem = z.object({
  version: z.int(),
  configuration: z.int(),
  leases: z.array(z.object({ token: z.string(), until: z.string() })),
  failures: z.int(),
  parkedUntil: z.optional(z.string()),
  parkMinutes: z.optional(z.number()),
  failingSince: z.optional(z.string()),
  lastFailureAt: z.optional(z.string()),
});

/**
 * Slots and breaker of each webhook, decided by shared/domain/webhook-health.ts on what was read and written only if
 * that still stands.
 */
export function webhookHealthIn(dynamo: DynamoDBClient, table: string, clock: Clock) {
  const find = async (webhookId: string): Promise<{ version: number; health: WebhookHealth } | undefined> => {
    const { Item } = await dynamo.send(
      new GetItemCommand({ TableName: table, Key: toItem({ webhookId }), ConsistentRead: true }),
    );
    if (Item === undefined) return undefined;
    const { version, ...health } = fromItem(healthItem, Item);
    return { version, health };
  };

  const read = async ({ webhookId, sequence }: Webhook) =>
    (await find(webhookId)) ?? { version: 0, health: healthOf(sequence) };

  const write = async (webhookId: string, seen: number, health: WebhookHealth): Promise<void> => {
    const put = new PutItemCommand({
      TableName: table,
      Item: toItem({ ...health, webhookId, version: seen + 1 }),
      ConditionExpression: 'attribute_not_exists(webhookId) OR version = :seen',
      ExpressionAttributeValues: toItem({ ':seen': seen }),
    });
    const written = await unlessConditionFails(dynamo.send(put));
    if (written === undefined) throw new WriteConflict('The health of the webhook was written meanwhile.');
  };

  return {
    /**
     * Whether an attempt may be made now; an admitted one holds a slot until it is settled or released, or for a minute. Where so
     * many ask that none gets through, the webhook is busy.
     */
    async admit(webhook: Webhook, token: string, share: number): Promise<Admission> {
      const ask = async () => {
        const { version, health } = await read(webhook);
        const admission = admit(health, { token, now: clock.now(), share, configuration: webhook.sequence });
        if (admission.state === 'ADMITTED') await write(webhook.webhookId, version, admission.health);
        return admission;
      };
      try {
        return await decideAgain(clock, ask);
      } catch (error) {
        if (error instanceof Refusal) return { state: 'BUSY' };
        throw error;
      }
    },

    /** What an attempt came to. */
    settle: (webhook: Webhook, token: string, succeeded: boolean): Promise<Finding | undefined> =>
      decideAgain(clock, async () => {
        const { version, health } = await read(webhook);
        const settled = settle(health, {
          token,
          succeeded,
          now: clock.now(),
          configuration: webhook.sequence,
        });
        await write(webhook.webhookId, version, settled.health);
        return settled.finding;
      }),

    /** Gives the slot back of an attempt that was admitted and not made. */
    release: (webhookId: string, token: string): Promise<void> =>
      decideAgain(clock, async () => {
        const found = await find(webhookId);
        if (!found?.health.leases.some((lease) => lease.token === token)) return;
        await write(webhookId, found.version, release(found.health, token));
      }),
  };
}

export type WebhookHealths = ReturnType<typeof webhookHealthIn>;
