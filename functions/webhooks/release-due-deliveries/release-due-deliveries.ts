import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { sweep, sweepGroups } from '#shared/platform/sweep.ts';
import { messageFor, type SendDeliveryMessage } from '#shared/webhooks/delivery-messages.ts';
import { type DeliveryQueue, type DueDelivery, lostAfter } from '#shared/webhooks/delivery-queue.ts';
import type { WebhookHealths } from '#shared/webhooks/webhook-health-store.ts';
import type { Webhooks } from '#shared/webhooks/webhook-store.ts';
import { inTurn } from './in-turn.ts';
import { createReleaseQuota } from './release-quota.ts';

interface Dependencies {
  readonly deliveries: Pick<DeliveryQueue, 'dueBefore' | 'reserve'>;
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
 * Sends the message for every delivery that is due soon, and again for those whose message was lost. Clients take
 * turns, so that no client waits for another's backlog. The next run continues where one ends. A run that cannot read
 * all due deliveries reschedules those that it may not send yet. Otherwise the first ones in the index, with an open
 * circuit or over their quota, would be all that is ever read.
 *
 * @returns how many due deliveries it sent messages for, or tried to
 */
export function releaseDueDeliveries(deps: Dependencies) {
  return async (): Promise<{ due: number; released: number }> => {
    const { clock } = deps;
    const startedAt = clock.now().getTime();
    const { found, byClient, held, isAll } = await dueByClient(deps, startedAt);
    const run = { clock, until: startedAt + RUNS_FOR_SECONDS * 1000, atOnce: AT_ONCE };
    const released = await sweep([inTurn(byClient.values())], (due) => release(deps, due), {
      ...run,
      report: notReleased,
    });
    if (isAll) return { due: found, released };
    await sweep<Held>([held], ({ due, until }) => deps.deliveries.reserve(due, until.toISOString()), {
      ...run,
      report: ({ due }, error) => notReleased(due, error),
    });
    return { due: found, released };
  };
}

/** A delivery that may not be handed out before the given time. */
interface Held {
  readonly due: DueDelivery;
  readonly until: Date;
}

/** What may be handed out now, each client's the longest overdue first in its shard, and what may not. */
async function dueByClient(deps: Dependencies, startedAt: number) {
  const before = new Date(startedAt + AHEAD_SECONDS * 1000);
  const heldUntil = createReleaseQuota(deps, before);
  const byClient = new Map<string, DueDelivery[]>();
  const readUntil = startedAt + READS_FOR_SECONDS * 1000;
  const held: Held[] = [];
  const sort = async (due: DueDelivery) => {
    const until = await heldUntil(due);
    if (until !== undefined) return held.push({ due, until });
    const ofClient = byClient.get(due.clientId) ?? [];
    byClient.set(due.clientId, ofClient);
    return ofClient.push(due);
  };
  const found = await sweepGroups(
    deps.shards.map((shard) => deps.deliveries.dueBefore(shard, before.toISOString())),
    (group) => Promise.all(group.map(sort)),
    { clock: deps.clock, until: readUntil, groupsOf: 1 },
  );
  return { found, byClient, held, isAll: deps.clock.now().getTime() <= readUntil };
}

function notReleased({ deliveryId }: DueDelivery, error: unknown): void {
  log.error('DELIVERY_NOT_RELEASED', { deliveryId, cause: describe(error) });
}

async function release({ deliveries, sendMessage, clock }: Dependencies, due: DueDelivery): Promise<void> {
  const now = clock.now().getTime();
  const handedOutAt = new Date(Math.max(now, Date.parse(due.dueAt)));
  const delivery = await deliveries.reserve(due, lostAfter(handedOutAt, new Date(due.nextAttemptAt)));
  if (delivery !== undefined) await sendMessage(messageFor(delivery), (handedOutAt.getTime() - now) / 1000);
}
