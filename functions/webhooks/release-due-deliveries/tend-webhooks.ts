import type { Clock } from '#shared/platform/clock.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { sweep } from '#shared/platform/sweep.ts';
import type { SendProbe } from '#shared/webhooks/delivery/delivery-messages.ts';
import { earliestReplayStart, type SendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import {
  type DueWebhook,
  dueWebhookShards,
  type WebhookHealths,
} from '#shared/webhooks/store/webhook-health-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly health: Pick<WebhookHealths, 'dueBefore' | 'applyChange' | 'forgetPause'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly sendProbe: SendProbe;
  readonly sendReplay: SendReplayMessage;
  readonly clock: Clock;
}

/** Milliseconds for all webhooks, so that most of the time remains for the deliveries. */
const RUNS_FOR = 5000;

/**
 * Probes paused webhooks, and sends missed events once a pause is over (decisions.md 10, Paused webhooks). A failure
 * stops neither the other webhooks nor the sweep of deliveries.
 */
export function tendWebhooks(deps: Dependencies) {
  return async (): Promise<void> => {
    const { health, clock } = deps;
    const now = clock.now();
    try {
      const due = dueWebhookShards.map((shard) => health.dueBefore(shard, now.toISOString()));
      await sweep(due, (one) => tend(deps, one), {
        clock,
        until: now.getTime() + RUNS_FOR,
        report: ({ webhookId }, error) => log.error('WEBHOOK_NOT_TENDED', { webhookId, cause: describe(error) }),
      });
    } catch (error) {
      log.error('WEBHOOK_NOT_TENDED', { cause: describe(error) });
    }
  };
}

async function tend({ health, webhooks, sendProbe, sendReplay, clock }: Dependencies, due: DueWebhook): Promise<void> {
  const { clientId, webhookId } = due;
  const webhook = await webhooks.find(clientId, webhookId);
  if (!webhook?.status) {
    await health.forgetPause(due);
    return;
  }
  const { isProbeDue, missed } = await health.applyChange(webhook);
  if (isProbeDue) await sendProbe({ probe: true, clientId, webhookId }, 0);
  if (missed === undefined) return;
  // A reactivated webhook gets only events from its reactivation on.
  if (webhook.activeSince <= missed.since) {
    const oldest = earliestReplayStart(clock.now()).toISOString();
    const since = missed.since > oldest ? missed.since : oldest;
    const { replayAt } = missed;
    await sendReplay({ clientId, webhookId, since, until: replayAt, requestedAt: replayAt, missedOnly: true }, 0);
  }
  // If this fails, the replay is requested again and finds that all deliveries exist.
  await health.forgetPause(due, missed);
}
