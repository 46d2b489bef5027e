import { admit, healthOf, release, settle, type WebhookHealth } from '#shared/domain/webhook-health.ts';
import type { WebhookHealths } from '#shared/dynamodb/webhook-health.ts';
import type { Clock } from '#shared/runtime/clock.ts';

export interface HealthInMemory extends WebhookHealths {
  of(webhookId: string): WebhookHealth | undefined;
}

/** Keeps what the table keeps. */
export function healthInMemory(clock: Clock): HealthInMemory {
  const kept = new Map<string, WebhookHealth>();
  return {
    of: (webhookId) => kept.get(webhookId),
    async admit({ webhookId, sequence: configuration }, token, share) {
      const health = kept.get(webhookId) ?? healthOf(configuration);
      const admission = admit(health, { token, now: clock.now(), share, configuration });
      if (admission.state === 'ADMITTED') kept.set(webhookId, admission.health);
      return admission;
    },
    async settle({ webhookId, sequence: configuration }, token, succeeded) {
      const health = kept.get(webhookId) ?? healthOf(configuration);
      const settled = settle(health, { token, succeeded, now: clock.now(), configuration });
      kept.set(webhookId, settled.health);
      return settled.finding;
    },
    async release(webhookId, token) {
      const health = kept.get(webhookId);
      if (health !== undefined) kept.set(webhookId, release(health, token));
    },
  };
}
