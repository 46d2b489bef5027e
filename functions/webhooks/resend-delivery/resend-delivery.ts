import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { RunIdempotently } from '#shared/platform/http/idempotency.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describeDelivery, type resendDeliveryContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import type { Resend } from '#shared/webhooks/delivery/resend.ts';
import type { Deliveries } from '#shared/webhooks/store/delivery-repository.ts';
import { findDeliveryOfWebhook, findOwnedWebhook } from '#shared/webhooks/store/owned-webhook.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';

interface Dependencies {
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly deliveries: Pick<Deliveries, 'find'>;
  readonly resend: Resend;
  /** The id is the instant of the request: a repeat gets the instant of the first request. */
  readonly runIdempotently: RunIdempotently;
  readonly clock: Clock;
}

/** Sends the delivery again now. A delivery that is already requested is returned unchanged. */
export function resendDelivery(deps: Dependencies): UseCase<typeof resendDeliveryContract> {
  return async (call) => {
    const webhook = await findOwnedWebhook(deps.webhooks, call.clientId, call.path);
    const found = await findDeliveryOfWebhook(deps.deliveries, webhook, call.path.delivery_id, deps.clock.now());
    if (found === undefined) throw new ApiError(webhookErrors.DELIVERY_NOT_FOUND);
    return deps.runIdempotently(call, {}, async (requestedAt) => {
      return describeDelivery(await deps.resend(webhook, found, requestedAt), webhook);
    });
  };
}
