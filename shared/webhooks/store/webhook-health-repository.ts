import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/conditional-write.ts';
import { queryIndex, readFirstItemsOfShards, shardOf, shards } from '#shared/platform/dynamodb/index-entries.ts';
import { retryOnConflict, WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { parseReadable } from '#shared/platform/unreadable.ts';
import { healthExpiry, isSoonExpired } from '#shared/webhooks/model/delivery.ts';
import { nextActionAt, nextProbeAt, type Webhook, type WebhookPause } from '#shared/webhooks/model/webhook.ts';
import {
  type CallSummary,
  type Circuit,
  circuitOf,
  circuitWithoutPause,
  currentHealth,
  freshHealth,
  type HealthFinding,
  healthAfterCall,
  healthAfterClientClose,
  healthWhileProbing,
  parking,
  type Responsiveness,
  responsivenessOf,
  type WebhookHealth,
  webhookHealth,
} from '#shared/webhooks/model/webhook-health.ts';

/** `version` grows by one with every write. A write succeeds only if the version that was read is still current. */
export const versionedHealth = z.extend(webhookHealth, { version: z.int(), expiresAt: z.optional(z.int()) });

export type AttemptPermission =
  | { readonly state: 'ALLOWED' }
  | { readonly state: 'CIRCUIT_OPEN'; readonly until: string };

/** Shards of a sparse index: the health of webhooks whose last call failed. */
const FAILING = 'FAILING';

/** Shards of a sparse index: the health of webhooks that are paused, will be if nothing changes, or missed events. */
const DUE = 'WEBHOOK';
const DUE_INDEX = 'due';

export const dueWebhookShards = shards(DUE);

const dueEntry = z.object({ clientId: z.string(), webhookId: z.string() });

/** A webhook that needs a probe or a replay. */
export type DueWebhook = z.infer<typeof dueEntry>;

export type ConfiguredWebhook = Pick<Webhook, 'clientId' | 'webhookId' | 'sequence'>;

interface HealthRead {
  readonly version: number;
  readonly health: WebhookHealth;
  /** Seconds since 1970. */
  readonly expiresAt?: number | undefined;
}

function isPast(at: string | undefined, now: Date): boolean {
  return at !== undefined && at <= now.toISOString();
}

function asRead(item: Item | undefined, sequence: number): HealthRead {
  if (item === undefined) return { version: 0, health: freshHealth(sequence) };
  const { version, expiresAt, ...health } = versionedHealth.parse(item);
  return { version, health, expiresAt };
}

/**
 * The circuit breaker of each webhook. model/webhook-health.ts decides on the health that was read; the result is
 * written only if the stored health is unchanged.
 */
export function createWebhookHealthRepository(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const itemOf = async (webhookId: string): Promise<Item | undefined> => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { webhookId }, ConsistentRead: true }));
    return Item;
  };

  const read = async ({ webhookId, sequence }: ConfiguredWebhook) => asRead(await itemOf(webhookId), sequence);

  const write = async (
    { clientId, webhookId }: ConfiguredWebhook,
    seen: number,
    health: WebhookHealth,
  ): Promise<void> => {
    const failingShard = health.failingSince && shardOf(FAILING, webhookId);
    const dueAt = nextActionAt(health);
    const due = { dueAt, dueShard: dueAt && shardOf(DUE, webhookId) };
    const put = new PutCommand({
      TableName: table,
      Item: {
        ...{ ...health, ...due, clientId, webhookId, failingShard },
        version: seen + 1,
        expiresAt: healthExpiry(clock.now()),
      },
      ConditionExpression: 'attribute_not_exists(webhookId) OR version = :seen',
      ExpressionAttributeValues: { ':seen': seen },
    });
    const written = await unlessConditionFails(dynamo.send(put));
    if (written === undefined) throw new WriteConflict('The health of the webhook changed meanwhile.');
  };

  return {
    /** Whether its endpoint answers, judged by the last call; UNKNOWN for a webhook that was never called. */
    async responsiveness(webhookId: string): Promise<Responsiveness> {
      return responsivenessOf(asRead(await itemOf(webhookId), 0).health, clock.now());
    },

    async circuit(webhook: ConfiguredWebhook): Promise<Circuit> {
      const { health } = await read(webhook);
      return circuitOf(health, webhook.sequence, clock.now());
    },

    /**
     * Whether an attempt may be made now. While the circuit is half open, one attempt is allowed: the probe.
     *
     * @param isByHand the client requested this very attempt: it is made even while the circuit is open
     */
    requestAttempt: (webhook: ConfiguredWebhook, token: string, isByHand: boolean): Promise<AttemptPermission> =>
      retryOnConflict(clock, async () => {
        const { version, health } = await read(webhook);
        const circuit = circuitOf(health, webhook.sequence, clock.now());
        if (circuit.state === 'OPEN' && !isByHand) return { state: 'CIRCUIT_OPEN', until: circuit.until };
        if (circuit.state === 'HALF_OPEN') {
          await write(webhook, version, healthWhileProbing(health, webhook.sequence, token, clock.now()));
        }
        return { state: 'ALLOWED' };
      }),

    /** The webhooks of one shard that need a probe or a replay now. */
    dueBefore: (shard: string, before: string): AsyncGenerator<DueWebhook> =>
      queryIndex(dynamo, table, dueEntry, {
        index: DUE_INDEX,
        condition: 'dueShard = :shard AND dueAt <= :before',
        values: { ':shard': shard, ':before': before },
      }),

    /** Applies a change of the webhook since its health was written; it ends a pause. @returns what is due now */
    applyChange: (
      webhook: ConfiguredWebhook,
    ): Promise<Pick<WebhookPause, 'missed'> & { readonly isProbeDue: boolean }> =>
      retryOnConflict(clock, async () => {
        const { version, health } = await read(webhook);
        const now = clock.now();
        const current = currentHealth(health, webhook.sequence, now);
        if (version > 0 && current !== health) await write(webhook, version, current);
        const isDue = isPast(current.missed?.replayAt, now);
        return { isProbeDue: isPast(nextProbeAt(current), now), ...(isDue && { missed: current.missed }) };
      }),

    /** Returns whether a paused webhook may be probed now, once each half hour, and if so records the probe. */
    requestProbe: (webhook: ConfiguredWebhook): Promise<boolean> =>
      retryOnConflict(clock, async () => {
        const { version, health } = await read(webhook);
        const now = clock.now();
        const current = currentHealth(health, webhook.sequence, now);
        if (!isPast(nextProbeAt(current), now)) return false;
        await write(webhook, version, { ...current, probedAt: now.toISOString() });
        return true;
      }),

    /**
     * Forgets the pause: the missed events are on their way, or the webhook was removed or deactivated. Its failures
     * are kept: operators inform the client if the webhook was deactivated because of them.
     */
    forgetPause: ({ clientId, webhookId }: DueWebhook, forgotten?: WebhookPause['missed']): Promise<void> =>
      retryOnConflict(clock, async () => {
        const { version, health } = asRead(await itemOf(webhookId), 0);
        if (forgotten !== undefined && health.missed?.replayAt !== forgotten.replayAt) return;
        const over = forgotten === undefined && { openSince: undefined, probedAt: undefined };
        const kept = { ...health, missed: undefined, ...over };
        await write({ clientId, webhookId, sequence: health.configuration }, version, kept);
      }),

    /** Closes the circuit at the request of the client; false when it is not open. */
    closeCircuit: (webhook: ConfiguredWebhook): Promise<boolean> =>
      retryOnConflict(clock, async () => {
        const { version, health } = await read(webhook);
        const ended = healthAfterClientClose(health, webhook.sequence, clock.now());
        if (ended === undefined) return false;
        await write(webhook, version, ended);
        return true;
      }),

    /** Records the result of an attempt. */
    recordResult: (webhook: ConfiguredWebhook, token: string, call: CallSummary): Promise<HealthFinding | undefined> =>
      retryOnConflict(clock, async () => {
        const { version, health, expiresAt } = await read(webhook);
        const now = clock.now();
        const after = healthAfterCall(health, { token, call, now, configuration: webhook.sequence });
        const isToRenew = expiresAt !== undefined && isSoonExpired(expiresAt, now);
        const next = after.health ?? (isToRenew ? health : undefined);
        if (next !== undefined) await write(webhook, version, next);
        return after.finding;
      }),
  };
}

export type WebhookHealths = ReturnType<typeof createWebhookHealthRepository>;

const indexEntry = z.object({ webhookId: z.string(), failingSince: z.string() });

const failing = z.extend(webhookHealth, { webhookId: z.string(), clientId: z.string() });

export type FailingWebhook = Readonly<z.infer<typeof failing>>;

/** The health of webhooks whose last call has failed, the longest failing first, at most 100. */
export function createListFailing(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    readFirstItemsOfShards(dynamo, clock, table, {
      index: 'failing',
      keys: ['failingShard', 'failingSince'],
      shards: shards(FAILING),
      since,
      most,
      entry: indexEntry,
      keyOf: ({ webhookId }) => ({ webhookId }),
      item: failing,
    });
}

export type ListFailing = ReturnType<typeof createListFailing>;

type Known = ConfiguredWebhook & Pick<Webhook, 'status'>;

/** The circuits of at most 100 webhooks, in their order. */
export function createReadCircuits(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const readHealths = createReadHealths(dynamo, table, clock);
  return async (webhooks: readonly Known[]): Promise<readonly Circuit[]> =>
    (await readHealths(webhooks)).map(({ circuit }) => circuit);
}

export interface KnownHealth {
  readonly circuit: Circuit;
  /** Since the last change of the configuration; for an inactive webhook up to its last call, which may be why. */
  readonly health: WebhookHealth;
}

/** Reads circuits together with the health that decides them. An unreadable health counts as new. */
export function createReadHealths(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (webhooks: readonly Known[]): Promise<readonly KnownHealth[]> => {
    const keys = webhooks.map(({ webhookId }) => ({ webhookId }));
    const items = await batchGet(dynamo, clock, table, keys);
    const now = clock.now();
    return webhooks.map(({ webhookId, sequence, status }, index) => {
      const { health } = parseReadable(webhookId, () => asRead(items[index], sequence)) ?? asRead(undefined, sequence);
      return {
        circuit: circuitOf(health, sequence, now),
        health: status ? currentHealth(health, sequence, now) : health,
      };
    });
  };
}

export type ReadHealths = ReturnType<typeof createReadHealths>;

export type ReadCircuits = ReturnType<typeof createReadCircuits>;

/** The circuit of one webhook without its pause; `undefined` for a webhook that was never called. */
export function createReadCircuit(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async ({ webhookId, sequence }: ConfiguredWebhook): Promise<Circuit | undefined> => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { webhookId }, ConsistentRead: true }));
    return Item && circuitWithoutPause(parking.parse(Item), sequence, clock.now());
  };
}

export type ReadCircuit = ReturnType<typeof createReadCircuit>;
