import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import type { redriveDeliveriesContract } from '#shared/webhooks/contract/webhook-commands.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import {
  earliestReplayStart,
  INDEX_LAG,
  parseReplayStart,
  type SendReplayMessage,
} from '#shared/webhooks/delivery/replay-messages.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';
import { findExistingWebhook } from './find-existing-webhook.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly sendMessage: SendReplayMessage;
  readonly clock: Clock;
}

/** Requests a replay, like the client's own, of undelivered events only. */
export function redriveDeliveries({
  webhooks,
  sendMessage,
  clock,
}: Dependencies): Change<typeof redriveDeliveriesContract> {
  return async ({ clientId, webhookId, since: given }) => {
    const now = clock.now();
    const since =
      given === undefined
        ? earliestReplayStart(now).toISOString()
        : parseReplayStart(given, 'body.arguments.since', now);
    const webhook = await findExistingWebhook(webhooks, clientId, webhookId);
    if (!webhook.status) throw new ApiError(webhookErrors.WEBHOOK_INACTIVE);
    const requestedAt = now.toISOString();
    const period = { since, until: requestedAt, requestedAt };
    await sendMessage({ clientId, webhookId, ...period, undeliveredOnly: true }, INDEX_LAG);
    return { body: { webhookId, since }, ids: { webhookId, clientId } };
  };
}
