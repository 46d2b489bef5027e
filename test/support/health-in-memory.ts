import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import {
  createReadCircuits,
  createWebhookHealthRepository,
  type WebhookHealths,
} from '#shared/webhooks/store/webhook-health-repository.ts';
import { REFUSED_CALL } from './call-summaries.ts';
import { tablesInMemory } from './tables-in-memory.ts';

const breaker = z.object({ failures: z.int(), parkMinutes: z.optional(z.number()) });

/** Makes calls of the webhook fail until its circuit is open; returns until when. */
export async function openCircuitIn(
  health: Pick<WebhookHealths, 'recordResult' | 'circuit'>,
  webhook: Webhook,
): Promise<string> {
  for (const token of ['1', '2', '3', '4', '5']) await health.recordResult(webhook, token, REFUSED_CALL);
  const circuit = await health.circuit(webhook);
  if (circuit.state !== 'OPEN') throw new Error('The circuit of the webhook is not open.');
  return circuit.until;
}

/** The table of the circuit breakers of webhooks, in memory. */
export function healthInMemory(clock: Clock) {
  const { dynamo, table: tableNamed, writes } = tablesInMemory();
  const table = tableNamed('webhookHealth');
  return {
    ...createWebhookHealthRepository(dynamo, 'webhookHealth', clock),
    readCircuits: createReadCircuits(dynamo, 'webhookHealth', clock),
    /** The number of writes. */
    writes,
    of(webhookId: string) {
      const item = table.find({ webhookId });
      return item && breaker.parse(item);
    },
  };
}
