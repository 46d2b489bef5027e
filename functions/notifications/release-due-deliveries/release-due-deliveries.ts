import { type DeliveryQueue, type DueDelivery, lostAfter } from '#shared/dynamodb/delivery-queue.ts';
import type { WebhookHealths } from '#shared/dynamodb/webhook-health.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { inGroups } from '#shared/runtime/in-groups.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import { whileTimeLasts } from '#shared/runtime/while-time-lasts.ts';
import { messageFor, type SendDeliveryMessage } from '#shared/sqs/delivery-messages.ts';
import { inTurn } from './in-turn.ts';
import { createReleaseQuota } from './release-quota.ts';

interface Dependencies {
  readonly deliveries: Pick<DeliveryQueue, 'dueBefore' | 'takeOn'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'circuit'>;
  readonly shards: readonly string[];
  readonly sendMessage: SendDeliveryMessage;
  readonly clock: Clock;
}

/** Longer than from one sweep to the next, so that what falls due between two is handed out with its exact delay. */
const AHEAD_SECONDS = 90;

/** Leaves time to finish what was begun before the function's own time is up. */
const RUNS_FOR_SECONDS = 45;

/** Of these, at most, to find out what is due. */
const READS_FOR_SECONDS = 20;

/** Deliveries handed out at the same time: as many as the SDK has connections. */
const AT_ONCE = 50;

/**
 * Sends the message for every delivery that is due soon, and again for those whose message was lost. Clients have their
 * turn one after another, so that nobody waits for another's backlog. What one run does not get to, the next one does.
 *
 * @returns how many of those that it found due it handed out, or tried to
 */
export function releaseDueDeliveries(deps: Dependencies) {
  return async (): Promise<{ due: number; released: number }> => {
    const { clock } = deps;
    const startedAt = clock.now().getTime();
    const { found, byClient } = await dueByClient(deps, startedAt);
    const due = whileTimeLasts(inTurn(byClient.values()), clock, startedAt + RUNS_FOR_SECONDS * 1000);
    let released = 0;
    for await (const group of inGroups(due, AT_ONCE)) {
      await Promise.all(group.map((delivery) => releaseOrReport(deps, delivery)));
      released += group.length;
    }
    return { due: found, released };
  };
}

/** What may be handed out now, each client's the longest overdue first in its shard. */
async function dueByClient(deps: Dependencies, startedAt: number) {
  const before = new Date(startedAt + AHEAD_SECONDS * 1000).toISOString();
  const mayBeReleased = createReleaseQuota(deps);
  const byClient = new Map<string, DueDelivery[]>();
  const readUntil = startedAt + READS_FOR_SECONDS * 1000;
  let found = 0;
  await Promise.all(
    deps.shards.map(async (shard) => {
      for await (const due of whileTimeLasts(deps.deliveries.dueBefore(shard, before), deps.clock, readUntil)) {
        found += 1;
        if (!(await mayBeReleased(due))) continue;
        const ofClient = byClient.get(due.clientId) ?? [];
        byClient.set(due.clientId, ofClient);
        ofClient.push(due);
      }
    }),
  );
  return { found, byClient };
}

async function releaseOrReport(deps: Dependencies, due: DueDelivery): Promise<void> {
  try {
    await release(deps, due);
  } catch (error) {
    log.error('DELIVERY_NOT_RELEASED', { deliveryId: due.deliveryId, cause: describe(error) });
  }
}

async function release({ deliveries, sendMessage, clock }: Dependencies, due: DueDelivery): Promise<void> {
  const now = clock.now().getTime();
  const handedOutAt = new Date(Math.max(now, Date.parse(due.dueAt)));
  const delivery = await deliveries.takeOn(due, lostAfter(handedOutAt, new Date(due.nextAttemptAt)));
  if (delivery !== undefined) await sendMessage(messageFor(delivery), (handedOutAt.getTime() - now) / 1000);
}
