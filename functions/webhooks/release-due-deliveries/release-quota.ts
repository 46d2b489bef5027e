import { describe, log } from '#shared/platform/logger.ts';
import type { DueDelivery } from '#shared/webhooks/store/delivery-repository.ts';
import type { WebhookHealths } from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly health: Pick<WebhookHealths, 'circuit'>;
}

/** Most deliveries of a run: about as many as the slots handle in a minute; more would only wait in the queue. */
const MOST = { perWebhook: 800, perClient: 1000 };

/** A delivery that waits for its client's turn is read again after this many runs, however long the backlog is. */
const MOST_RUNS = 30;

/** Seconds from one run to the next. */
const INTERVAL = 60;

/**
 * The time before which a delivery may not be sent; `undefined` if this run may send it. A held delivery stays due, and
 * costs only another read.
 */
export type ReleaseQuota = (due: DueDelivery) => Promise<Date | undefined>;

interface Allowance {
  readonly most: number;
  /** The end of an open circuit. */
  readonly openUntil?: Date;
}

/**
 * The quota of one run: none for an open circuit, one for a half-open one, otherwise as many as can be handled.
 *
 * @param dueBefore this run finds deliveries that are due before this time
 */
export function createReleaseQuota({ webhooks, health }: Dependencies, dueBefore: Date): ReleaseQuota {
  const taken = new Map<string, number>();
  const allowances = new Map<string, Promise<Allowance>>();
  const countOf = (id: string) => taken.get(id) ?? 0;
  const waiting = new Map<string, number>();

  const allowanceOf = async ({ clientId, webhookId }: DueDelivery): Promise<Allowance> => {
    try {
      const webhook = await webhooks.find(clientId, webhookId);
      // The message is sent, so that the delivery is cancelled.
      if (!webhook?.status) return { most: MOST.perWebhook };
      const circuit = await health.circuit(webhook);
      if (circuit.state === 'OPEN') return { most: 0, openUntil: new Date(circuit.until) };
      return { most: circuit.state === 'HALF_OPEN' ? 1 : MOST.perWebhook };
    } catch (error) {
      log.error('DELIVERIES_NOT_RELEASED', { webhookId, cause: describe(error) });
      return { most: 0 };
    }
  };

  /** Returns when the next delivery of a client has its turn, after all deliveries found before it. */
  const itsTurn = (clientId: string): Date => {
    const before = waiting.get(clientId) ?? 0;
    waiting.set(clientId, before + 1);
    const runs = Math.min(Math.floor(before / MOST.perClient), MOST_RUNS);
    return new Date(dueBefore.getTime() + runs * INTERVAL * 1000);
  };

  return async (due) => {
    const { clientId, webhookId } = due;
    const allowance = allowances.get(webhookId) ?? allowanceOf(due);
    allowances.set(webhookId, allowance);
    const { most, openUntil } = await allowance;
    if (openUntil !== undefined) return openUntil;
    if (countOf(webhookId) >= most || countOf(clientId) >= MOST.perClient) return itsTurn(clientId);
    for (const id of [clientId, webhookId]) taken.set(id, countOf(id) + 1);
    return undefined;
  };
}
