import type { Webhook } from '#shared/domain/webhook.ts';
import {
  circuitOf,
  healthOf,
  parkingEnded,
  probing,
  settle,
  type WebhookHealth,
} from '#shared/domain/webhook-health.ts';
import type { WebhookHealths } from '#shared/dynamodb/webhook-health.ts';
import type { Clock } from '#shared/runtime/clock.ts';

/** Has calls of the webhook fail until it is parked, and says until when. */
export async function parkedIn(health: HealthInMemory, webhook: Webhook): Promise<string> {
  for (const token of ['1', '2', '3', '4', '5']) await health.settle(webhook, token, false);
  const circuit = await health.circuit(webhook);
  if (circuit.state !== 'OPEN') throw new Error('The webhook is not parked.');
  return circuit.until;
}

export interface HealthInMemory extends WebhookHealths {
  of(webhookId: string): WebhookHealth | undefined;
  /** How often something was written. */
  writes(): number;
}

/** Keeps what the table keeps. */
export function healthInMemory(clock: Clock): HealthInMemory {
  const kept = new Map<string, WebhookHealth>();
  let writes = 0;
  const read = (webhookId: string, configuration: number) => kept.get(webhookId) ?? healthOf(configuration);
  const write = (webhookId: string, health: WebhookHealth) => {
    kept.set(webhookId, health);
    writes += 1;
  };
  return {
    of: (webhookId) => kept.get(webhookId),
    writes: () => writes,
    async circuit({ webhookId, sequence }) {
      return circuitOf(read(webhookId, sequence), sequence, clock.now());
    },
    async circuits(webhooks) {
      return webhooks.map(({ webhookId, sequence }) => circuitOf(read(webhookId, sequence), sequence, clock.now()));
    },
    async endParking({ webhookId, sequence }) {
      const ended = parkingEnded(read(webhookId, sequence), sequence, clock.now());
      if (ended !== undefined) write(webhookId, ended);
      return ended !== undefined;
    },
    async admit({ webhookId, sequence }, token, isByHand) {
      const health = read(webhookId, sequence);
      const circuit = circuitOf(health, sequence, clock.now());
      if (circuit.state === 'OPEN' && !isByHand) return { state: 'PARKED', until: circuit.until };
      if (circuit.state === 'HALF_OPEN') write(webhookId, probing(health, sequence, token, clock.now()));
      return { state: 'ADMITTED' };
    },
    async settle({ webhookId, sequence: configuration }, token, succeeded) {
      const result = { token, succeeded, now: clock.now(), configuration };
      const { health, finding } = settle(read(webhookId, configuration), result);
      if (health !== undefined) write(webhookId, health);
      return finding;
    },
  };
}
