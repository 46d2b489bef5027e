import type { DueDelivery } from '#shared/dynamodb/delivery-queue.ts';
import type { WebhookHealths } from '#shared/dynamodb/webhook-health.ts';
import type { Webhooks } from '#shared/dynamodb/webhooks.ts';
import { describe, log } from '#shared/runtime/logger.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'circuit'>;
}

/** About what their slots can work on in a minute; what is handed out beyond it only waits in the queue. */
const MOST = { perWebhook: 800, perClient: 1000 };

/** Whether a delivery may be handed out in this run. What is not stays due, and costs little but to be read again. */
export type ReleaseQuota = (due: DueDelivery) => Promise<boolean>;

/** A quota for one run: nothing of what is parked, a probe of what was, and of the rest as much as can be worked on. */
export function createReleaseQuota({ webhooks, health }: Dependencies): ReleaseQuota {
  const taken = new Map<string, number>();
  const most = new Map<string, Promise<number>>();
  const takenBy = (id: string) => taken.get(id) ?? 0;

  const mostOf = async ({ clientId, webhookId }: DueDelivery): Promise<number> => {
    try {
      const webhook = await webhooks.find(clientId, webhookId);
      // Handed out, it is found to be cancelled.
      if (!webhook?.status) return MOST.perWebhook;
      const { state } = await health.circuit(webhook);
      return { CLOSED: MOST.perWebhook, HALF_OPEN: 1, OPEN: 0 }[state];
    } catch (error) {
      log.error('DELIVERIES_NOT_RELEASED', { webhookId, cause: describe(error) });
      return 0;
    }
  };

  return async (due) => {
    const { clientId, webhookId } = due;
    if (takenBy(clientId) >= MOST.perClient) return false;
    const asked = most.get(webhookId) ?? mostOf(due);
    most.set(webhookId, asked);
    const perWebhook = await asked;
    // Counted now: the other shards went on while the webhook was looked up.
    if (takenBy(webhookId) >= perWebhook || takenBy(clientId) >= MOST.perClient) return false;
    for (const id of [clientId, webhookId]) taken.set(id, takenBy(id) + 1);
    return true;
  };
}
