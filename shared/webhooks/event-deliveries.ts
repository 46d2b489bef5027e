import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Clock } from '#shared/platform/clock.ts';
import { batchGetFound } from '#shared/platform/dynamodb/batch-get.ts';
import { inGroups } from '#shared/platform/in-groups.ts';
import { asDue, type Delivery, delivery, deliveryIdOf } from './delivery.ts';
import { deliveryKey } from './delivery-store.ts';
import type { ReadCircuits } from './webhook-circuits.ts';
import type { Webhooks } from './webhook-store.ts';

/** As many as one read can ask for. */
const GROUP = 100;

/** What became of a client's events at the webhooks that it has, in the order of the events. Those of removed webhooks are not found. */
export function createListDeliveriesOf(
  dynamo: DynamoDBDocumentClient,
  table: string,
  webhooks: Pick<Webhooks, 'list'>,
  readCircuits: ReadCircuits,
  clock: Clock,
) {
  return async (clientId: string, eventIds: readonly string[]): Promise<readonly Delivery[]> => {
    const receivers = await webhooks.list(clientId);
    const keys = eventIds.flatMap((eventId) =>
      receivers.map(({ webhookId }) => deliveryKey(deliveryIdOf(eventId, webhookId))),
    );
    const found: Delivery[] = [];
    for await (const group of inGroups(keys, GROUP)) {
      found.push(...(await batchGetFound(dynamo, clock, table, group, delivery)));
    }
    if (found.every(({ nextAttemptAt }) => nextAttemptAt === undefined)) return found;
    const circuits = await readCircuits(receivers);
    const circuitOf = new Map(receivers.map(({ webhookId }, position) => [webhookId, circuits[position]]));
    return found.map((one) => asDue(one, circuitOf.get(one.webhookId)));
  };
}

export type ListDeliveriesOf = ReturnType<typeof createListDeliveriesOf>;
