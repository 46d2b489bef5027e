import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { instant } from '#shared/platform/http/fields.ts';
import type { Circuit } from './webhook-health.ts';
import type { Configured } from './webhook-health-store.ts';

/** What of a webhook's health says whether it is parked: all that a list of deliveries reads of it. */
const parking = z.object({ configuration: z.int(), parkedUntil: z.optional(instant) });

/**
 * Until when nothing is sent to a webhook; `undefined` when it is not parked.
 *
 * @param sequence of the webhook as it was read: what its client has changed since then is not parked
 */
export function openUntil(
  { configuration, parkedUntil }: z.infer<typeof parking>,
  sequence: number,
  now: Date,
): string | undefined {
  const isParked = parkedUntil !== undefined && configuration >= sequence && Date.parse(parkedUntil) > now.getTime();
  return isParked ? parkedUntil : undefined;
}

/** The circuit of one webhook while it is open. */
export function createReadOpenCircuit(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async ({ webhookId, sequence }: Configured): Promise<Circuit | undefined> => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: { webhookId }, ConsistentRead: true }));
    const until = Item && openUntil(parking.parse(Item), sequence, clock.now());
    return until === undefined ? undefined : { state: 'OPEN', until };
  };
}

export type ReadOpenCircuit = ReturnType<typeof createReadOpenCircuit>;
