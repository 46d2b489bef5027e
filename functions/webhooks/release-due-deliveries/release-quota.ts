import { describe, log } from '#shared/platform/logger.ts';
import type { DueDelivery } from '#shared/webhooks/delivery-queue.ts';
import type { WebhookHealths } from '#shared/webhooks/webhook-health-store.ts';
import type { Webhooks } from '#shared/webhooks/webhook-store.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'circuit'>;
}

/** About what their slots can work on in a minute; what is handed out beyond it only waits in the queue. */
const MOST = { perWebhook: 800, perClient: 1000 };

/** Runs after which what waits for its client's turn is looked at again, however long that client's backlog is. */
const MOST_RUNS = 30;

/** Seconds from one run to the next. */
const INTERVAL = 60;

/**
 * Until when a delivery may not be handed out; `undefined` when it may, in this run. What may not stays due, and costs
 * little but to be read again.
 */
export type ReleaseQuota = (due: DueDelivery) => Promise<Date | undefined>;

interface Allowance {
  readonly most: number;
  /** Of a webhook that is parked. */
  readonly parkedUntil?: Date;
}

/**
 * A quota for one run: nothing of what is parked, a probe of what was, and of the rest as much as can be worked on.
 *
 * @param dueBefore what falls due before it is found by this run
 */
export function createReleaseQuota({ webhooks, health }: Dependencies, dueBefore: Date): ReleaseQuota {
  const taken = new Map<string, number>();
  const asked = new Map<string, Promise<Allowance>>();
  const countOf = (id: string) => taken.get(id) ?? 0;
  const waiting = new Map<string, number>();

  const allowanceOf = async ({ clientId, webhookId }: DueDelivery): Promise<Allowance> => {
    try {
      const webhook = await webhooks.find(clientId, webhookId);
      // Handed out, it is found to be cancelled.
      if (!webhook?.status) return { most: MOST.perWebhook };
      const circuit = await health.circuit(webhook);
      if (circuit.state === 'OPEN') return { most: 0, parkedUntil: new Date(circuit.until) };
      return { most: circuit.state === 'HALF_OPEN' ? 1 : MOST.perWebhook };
    } catch (error) {
      log.error('DELIVERIES_NOT_RELEASED', { webhookId, cause: describe(error) });
      return { most: 0 };
    }
  };

  /** So that the run finds it in which its client's turn comes to it, after all that were found before it. */
  const itsTurn = (clientId: string): Date => {
    const before = waiting.get(clientId) ?? 0;
    waiting.set(clientId, before + 1);
    const runs = Math.min(Math.floor(before / MOST.perClient), MOST_RUNS);
    return new Date(dueBefore.getTime() + runs * INTERVAL * 1000);
  };

  return async (due) => {
    const { clientId, webhookId } = due;
    const asking = asked.get(webhookId) ?? allowanceOf(due);
    asked.set(webhookId, asking);
    const { most, parkedUntil } = await asking;
    if (parkedUntil !== undefined) return parkedUntil;
    if (countOf(webhookId) >= most || countOf(clientId) >= MOST.perClient) return itsTurn(clientId);
    for (const id of [clientId, webhookId]) taken.set(id, countOf(id) + 1);
    return undefined;
  };
}
