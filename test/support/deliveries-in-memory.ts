import { systemClock } from '#shared/platform/clock.ts';
import { deliveryExpiry } from '#shared/platform/dynamodb/expiry.ts';
import { shardOf } from '#shared/platform/dynamodb/shards.ts';
import type { Delivery } from '#shared/webhooks/delivery.ts';
import { createDeliveryClaims } from '#shared/webhooks/delivery-claims.ts';
import { createDeliveryQueue, lostAfter } from '#shared/webhooks/delivery-queue.ts';
import { createDeliveryStore, DELIVERY, parseDelivery } from '#shared/webhooks/delivery-store.ts';
import { tablesInMemory } from './tables-in-memory.ts';

/** The table of deliveries in memory; those that are there already were sent when they were made. */
export function deliveriesInMemory(...stored: readonly Delivery[]) {
  const { dynamo, table: tableNamed } = tablesInMemory();
  const table = tableNamed('deliveries');
  for (const delivery of stored) {
    const [createdAt, dueShard] = [new Date(delivery.createdAt), shardOf('DELIVERY', delivery.deliveryId)];
    const indexed = { record: DELIVERY, dueShard, dueAt: lostAfter(createdAt), expiresAt: deliveryExpiry(createdAt) };
    table.put({ ...delivery, ...indexed });
  }
  const [reads, queue] = [
    createDeliveryStore(dynamo, 'deliveries'),
    createDeliveryQueue(dynamo, 'deliveries', systemClock),
  ];
  return Object.assign(reads, queue, createDeliveryClaims(dynamo, 'deliveries', systemClock), {
    /** Every delivery as it stands, expired or not. */
    all: (): readonly Delivery[] =>
      table
        .items()
        .filter(({ record }) => record?.S === DELIVERY)
        .map(parseDelivery),

    /** A delivery as it stands, with when the sweep takes it up. */
    kept(deliveryId: string) {
      const item = table.find({ deliveryId, record: DELIVERY });
      return item && { delivery: parseDelivery(item), dueAt: item['dueAt']?.S };
    },

    /** Milliseconds since 1970; `Infinity` when nothing is due any more. */
    firstDue: () => Math.min(...table.items().map(({ dueAt }) => Date.parse(dueAt?.S ?? '') || Infinity)),
  });
}
