import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { Change } from '#shared/platform/operators/audited.ts';
import type { resendContract } from '#shared/webhooks/contract/webhook-commands.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import type { Resend } from '#shared/webhooks/delivery/resend.ts';
import type { Deliveries } from '#shared/webhooks/store/delivery-repository.ts';
import type { Webhooks } from '#shared/webhooks/store/webhook-repository.ts';
import { findExistingWebhook } from './find-existing-webhook.ts';

interface Dependencies {
  readonly deliveries: Pick<Deliveries, 'find'>;
  readonly webhooks: Pick<Webhooks, 'find'>;
  readonly resend: Resend;
  readonly clock: Clock;
}

/** Resends a delivery as its client can. */
export function resendAsOperator({ deliveries, webhooks, resend, clock }: Dependencies): Change<typeof resendContract> {
  return async ({ deliveryId }) => {
    const now = clock.now();
    const found = await deliveries.find(deliveryId, now);
    if (found === undefined) {
      throw new ApiError(webhookErrors.DELIVERY_NOT_FOUND, {
        detail: 'There is no delivery with this id. Deliveries are kept for 90 days.',
      });
    }
    const { clientId, webhookId } = found;
    const webhook = await findExistingWebhook(webhooks, clientId, webhookId);
    const resent = await resend(webhook, found, now.toISOString());
    return { body: resent, ids: { deliveryId, webhookId, clientId } };
  };
}
