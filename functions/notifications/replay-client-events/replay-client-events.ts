import { isCancelledBy, newDelivery } from '#shared/domain/delivery.ts';
import { processOf, type ServiceEvent } from '#shared/domain/service-event.ts';
import type { Webhook } from '#shared/domain/webhook.ts';
import type { DeliveryQueue } from '#shared/dynamodb/delivery-queue.ts';
import type { Events } from '#shared/dynamodb/events.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { inGroups } from '#shared/runtime/in-groups.ts';
import { messageFor, type SendDeliveryMessage } from '#shared/sqs/delivery-messages.ts';
import type { ReplayMessage, SendReplayMessage } from '#shared/sqs/replay-messages.ts';

/** After so many a run hands the rest to the next one: well before its function is stopped. */
const RUN_SECONDS = 240;

const EVENTS_AT_ONCE = 25;

interface Dependencies {
  readonly events: Pick<Events, 'find' | 'ofClientSince'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly queue: Pick<DeliveryQueue, 'create' | 'askAgain'>;
  readonly sendDeliveryMessage: SendDeliveryMessage;
  readonly sendReplayMessage: SendReplayMessage;
  readonly clock: Clock;
}

/**
 * Sends every event of a client in the given time once more to one of its webhooks, whether it arrived or not; what is
 * on its way stays as it is. Whatever is repeated of it, by a message that comes twice or a run that died, finds the
 * deliveries that were asked for since the request, and leaves them alone.
 */
export function replayClientEvents(deps: Dependencies) {
  return async (replay: ReplayMessage): Promise<void> => {
    const { clientId, webhookId, since, until, requestedAt } = replay;
    const runEnds = deps.clock.now().getTime() + RUN_SECONDS * 1000;
    for await (const ids of inGroups(deps.events.ofClientSince(clientId, since), EVENTS_AT_ONCE)) {
      const webhook = await deps.webhooks.find(clientId, webhookId);
      if (webhook === undefined || isCancelledBy(webhook, { queuedAt: requestedAt })) return;
      const found = (await Promise.all(ids.map(deps.events.find))).filter((event) => event !== undefined);
      const inTime = found.filter(({ occurredAt }) => occurredAt <= until);
      const monitored = inTime.filter(({ type }) => processOf(type) === webhook.process);
      await Promise.all(monitored.map((event) => sendOnceMore(deps, event, webhook, requestedAt)));
      if (inTime.length < found.length) return;
      // Others may have happened at the same instant, so the next run begins with it and not after it.
      const reached = inTime.at(-1)?.occurredAt ?? since;
      if (reached > since && deps.clock.now().getTime() >= runEnds) {
        await deps.sendReplayMessage({ ...replay, since: reached });
        return;
      }
    }
  };
}

async function sendOnceMore(
  { queue, sendDeliveryMessage, clock }: Dependencies,
  event: ServiceEvent,
  webhook: Webhook,
  requestedAt: string,
): Promise<void> {
  const now = clock.now();
  const delivery = newDelivery(event, webhook, 'REPLAY', now);
  // What waits from before the webhook was reactivated is not on its way any more.
  const request = { trigger: 'REPLAY', requestedAt, unlessPendingSince: webhook.activeSince } as const;
  const isNew = await queue.create(delivery, now);
  const asked = isNew ? delivery : await queue.askAgain(delivery.deliveryId, request, now);
  if (asked !== undefined) await sendDeliveryMessage(messageFor(asked), 0);
}
