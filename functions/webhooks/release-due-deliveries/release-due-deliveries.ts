import type { ListClientIds } from '#shared/clients/client-directory.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { reserveAndSend } from '#shared/platform/dynamodb/due-queue.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { roundRobin, shareAmongConsumers, sweep } from '#shared/platform/sweep.ts';
import { nextAttemptMessage, type SendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { DeliveryQueue, DueDelivery } from '#shared/webhooks/store/delivery-repository.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';
import { createReleaseQuota } from './release-quota.ts';

interface Dependencies {
  readonly deliveries: Pick<DeliveryQueue, 'dueBefore' | 'reserve'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'circuit'>;
  readonly listClientIds: ListClientIds;
  readonly sendMessage: SendDeliveryMessage;
  readonly clock: Clock;
}

/**
 * Longer than the time between two sweeps, so that a delivery that becomes due between them is sent with its exact
 * delay.
 */
const AHEAD_SECONDS = 90;

/** Seconds after the start at which sending ends, and then rescheduling; the rest is time to finish. */
export const RELEASE_SECONDS = 42;
const RUNS_FOR = 48;

/** Deliveries sent in parallel: as many as the SDK has connections. */
export const AT_ONCE = 50;

/** Most deliveries that a run holds in memory because they may not be sent yet; any others are rescheduled at once. */
export const MOST_HELD_DELIVERIES = 100_000;

/**
 * Sends the message for every delivery that is due soon, and again for lost messages. Clients take turns, so that no
 * client waits for another's backlog. The next run continues where this one ends. A run that cannot read all due
 * deliveries reschedules those that it may not send yet. Otherwise the first deliveries of a client with an open
 * circuit, or over its quota, would hide all later ones.
 *
 * @returns how many due deliveries it found, and how many messages it sent or tried to send
 */
export function releaseDueDeliveries(deps: Dependencies) {
  return async (): Promise<{ due: number; released: number }> => {
    const { deliveries, listClientIds, sendMessage, clock } = deps;
    const startedAt = clock.now().getTime();
    const before = new Date(startedAt + AHEAD_SECONDS * 1000);
    const heldUntil = createReleaseQuota(deps, before);
    const held: Held[] = [];
    let released = 0;
    const putOff = ({ due, notBefore }: Held) => deliveries.reserve(due, notBefore.toISOString());
    const release = async (due: DueDelivery) => {
      const notBefore = await heldUntil(due);
      if (notBefore === undefined) {
        released += 1;
        await reserveAndSend({ ...deliveries, clock }, due, due.nextAttemptAt, (delivery, delaySeconds) =>
          sendMessage(nextAttemptMessage(delivery), delaySeconds),
        );
      } else if (held.length < MOST_HELD_DELIVERIES) held.push({ due, notBefore });
      else await putOff({ due, notBefore });
    };
    const until = startedAt + RELEASE_SECONDS * 1000;
    const ofClients = (await listClientIds()).map((id) => deliveries.dueBefore(id, before.toISOString()));
    const due = await sweep(shareAmongConsumers(roundRobin(ofClients, clock), AT_ONCE), release, {
      clock,
      until,
      report: notReleased,
    });
    if (clock.now().getTime() <= until) return { due, released };
    await sweep([held], putOff, {
      clock,
      until: startedAt + RUNS_FOR * 1000,
      atOnce: AT_ONCE,
      report: (one, error) => notReleased(one.due, error),
    });
    return { due, released };
  };
}

/** A delivery that may not be sent yet. */
interface Held {
  readonly due: DueDelivery;
  readonly notBefore: Date;
}

function notReleased({ deliveryId }: DueDelivery, error: unknown): void {
  log.error('DELIVERY_NOT_RELEASED', { deliveryId, cause: describe(error) });
}
