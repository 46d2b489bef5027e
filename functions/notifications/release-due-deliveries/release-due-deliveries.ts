import type { DeliveryQueue } from '#shared/dynamodb/delivery-queue.ts';
import { lostAfter } from '#shared/dynamodb/delivery-queue.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import { whileTimeLasts } from '#shared/runtime/while-time-lasts.ts';
import { messageFor, type SendDeliveryMessage } from '#shared/sqs/delivery-messages.ts';

interface Dependencies {
  readonly deliveries: Pick<DeliveryQueue, 'dueBefore' | 'takeOn'>;
  readonly shards: readonly string[];
  readonly sendMessage: SendDeliveryMessage;
  readonly clock: Clock;
}

/** Longer than from one sweep to the next, so that what falls due between two is handed out with its exact delay. */
const AHEAD_SECONDS = 90;

/** Leaves time to finish what was begun before the function's own time is up. */
const RUNS_FOR_SECONDS = 45;

/**
 * Sends the message for every delivery that is due soon, and again for those whose message was lost. What one run does
 * not get to, the next one does.
 *
 * @returns how many it found
 */
export function releaseDueDeliveries(deps: Dependencies) {
  return async (): Promise<number> => {
    let found = 0;
    const startedAt = deps.clock.now().getTime();
    const endsAt = startedAt + RUNS_FOR_SECONDS * 1000;
    const before = new Date(startedAt + AHEAD_SECONDS * 1000).toISOString();
    await Promise.all(
      deps.shards.map(async (shard) => {
        const due = whileTimeLasts(deps.deliveries.dueBefore(shard, before), deps.clock, endsAt);
        for await (const { deliveryId, dueAt } of due) {
          found += 1;
          await releaseOrReport(deps, deliveryId, dueAt);
        }
      }),
    );
    return found;
  };
}

async function releaseOrReport(deps: Dependencies, deliveryId: string, dueAt: string): Promise<void> {
  try {
    await release(deps, deliveryId, dueAt);
  } catch (error) {
    log.error('DELIVERY_NOT_RELEASED', { deliveryId, cause: describe(error) });
  }
}

async function release({ deliveries, sendMessage, clock }: Dependencies, deliveryId: string, dueAt: string) {
  const now = clock.now().getTime();
  const handedOutAt = new Date(Math.max(now, Date.parse(dueAt)));
  const delivery = await deliveries.takeOn(deliveryId, dueAt, lostAfter(handedOutAt));
  if (delivery?.nextAttemptAt === undefined) return;
  await sendMessage(messageFor(delivery), (Date.parse(delivery.nextAttemptAt) - now) / 1000);
}
