import { systemClock } from '#shared/platform/clock.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import { type Delivery, deliveryExpiry } from '#shared/webhooks/model/delivery.ts';
import type { AttemptOutcome } from '#shared/webhooks/model/delivery-outcome.ts';
import { createDeliveryClaims } from '#shared/webhooks/store/delivery-claims.ts';
import {
  createDeliveryQueue,
  createDeliveryRepository,
  parseDelivery,
} from '#shared/webhooks/store/delivery-repository.ts';
import { tablesInMemory } from './tables-in-memory.ts';

/** The table of deliveries in memory; the stored ones were sent when they were created. */
export function deliveriesInMemory(...stored: readonly Delivery[]) {
  const { dynamo, table: tableNamed } = tablesInMemory();
  const table = tableNamed('deliveries');
  for (const delivery of stored) {
    const createdAt = new Date(delivery.createdAt);
    table.put({ ...delivery, dueAt: messageLostAt(createdAt), expiresAt: deliveryExpiry(createdAt) });
  }
  const [reads, queue, claims] = [
    createDeliveryRepository(dynamo, 'deliveries'),
    createDeliveryQueue(dynamo, 'deliveries', systemClock),
    createDeliveryClaims(dynamo, 'deliveries', systemClock),
  ];

  /** A delivery as it is stored, with the time when the sweep takes it up. */
  function kept(deliveryId: string) {
    const item = table.find({ deliveryId });
    return item && { delivery: parseDelivery(item), dueAt: item['dueAt'] };
  }

  return Object.assign(reads, queue, claims, {
    kept,

    /** Every delivery as it is stored, expired or not. */
    all: (): readonly Delivery[] => table.items().map(parseDelivery),

    /** Claims the next attempt of a delivery, and records its answer and outcome. */
    async attempt(deliveryId: string, statusCode: number, outcome: AttemptOutcome, now: Date): Promise<void> {
      const logged = kept(deliveryId)?.delivery.attempts.length ?? 0;
      const claim = await claims.claim(deliveryId, logged + 1, 'token', now);
      if (claim.state !== 'CLAIMED') throw new Error(`The attempt is ${claim.state}.`);
      await claims.finish(claim.delivery, { at: now.toISOString(), statusCode, durationMs: 7 }, outcome);
    },

    /** Milliseconds since 1970; `Infinity` when nothing is due any more. */
    firstDue: () => Math.min(...table.items().map(({ dueAt }) => Date.parse(String(dueAt)) || Infinity)),
  });
}
