import type { ListClientIds } from '#shared/clients/client-directory.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { handOut } from '#shared/platform/dynamodb/due-queue.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { inTurns, lanes, sweep } from '#shared/platform/sweep.ts';
import { messageFor, type SendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import type { DeliveryQueue, DueDelivery } from '#shared/webhooks/store/delivery-queue.ts';
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

/** Longer than from one sweep to the next, so that what falls due between two is handed out with its exact delay. */
const AHEAD_SECONDS = 90;

/** Seconds for handing out, and then for putting off what may not be: the rest is to finish what was begun. */
const HANDS_OUT_FOR = 42;
const RUNS_FOR = 48;

/** Deliveries handed out at the same time: as many as the SDK has connections. */
const AT_ONCE = 50;

/** Deliveries that a run remembers as not to be handed out yet; more are put off at once, so that its memory is bounded. */
const MOST_HELD = 100_000;

/**
 * Sends the message for every delivery that is due soon, and again for those whose message was lost. Clients take
 * turns, so that no client waits for another's backlog. The next run continues where one ends. A run that cannot read
 * all due deliveries reschedules those that it may not send yet. Otherwise the first ones of their client, with an open
 * circuit or over their quota, would be all that is ever read.
 *
 * @returns how many due deliveries it found, and how many of them it sent messages for, or tried to
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
        await handOut({ ...deliveries, clock }, due, due.nextAttemptAt, (delivery, delaySeconds) =>
          sendMessage(messageFor(delivery), delaySeconds),
        );
      } else if (held.length < MOST_HELD) held.push({ due, notBefore });
      else await putOff({ due, notBefore });
    };
    const until = startedAt + HANDS_OUT_FOR * 1000;
    const ofClients = (await listClientIds()).map((id) => deliveries.dueBefore(id, before.toISOString()));
    const due = await sweep(lanes(inTurns(ofClients, clock), AT_ONCE), release, {
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

/** A delivery that may not be handed out yet. */
interface Held {
  readonly due: DueDelivery;
  readonly notBefore: Date;
}

function notReleased({ deliveryId }: DueDelivery, error: unknown): void {
  log.error('DELIVERY_NOT_RELEASED', { deliveryId, cause: describe(error) });
}
