import type { NextStep } from '#shared/webhooks/contract/webhook-lookups.ts';
import { type Delivery, isCancelledBy, isManualAttempt } from '#shared/webhooks/model/delivery.ts';
import type { Webhook } from '#shared/webhooks/model/webhook.ts';
import { type Circuit, withDueTime } from '#shared/webhooks/model/webhook-health.ts';

/** What happens next with a delivery, and who does it. */
export function deliveryNextStep(
  delivery: Delivery,
  webhook: Webhook | undefined,
  circuit: Circuit | undefined,
): NextStep {
  const { status, reason, nextAttemptAt } = withDueTime(delivery, circuit);
  const at = nextAttemptAt === undefined ? {} : { at: nextAttemptAt };
  switch (status) {
    case 'DELIVERED':
      return { who: 'NOBODY', what: 'It has arrived.' };
    case 'CANCELLED':
    case 'FAILED':
      return undelivered(reason, webhook);
    default:
      if (webhook === undefined || isCancelledBy(webhook, delivery)) {
        return {
          who: 'NOBODY',
          what: 'Its webhook is inactive or removed: the delivery is cancelled once it is due.',
          ...at,
        };
      }
      return circuit?.state === 'OPEN' && !isManualAttempt(delivery)
        ? { who: 'CLIENT', what: 'Repairs its endpoint, which has failed five times in a row.', ...at }
        : { who: 'SERVICE', what: 'Makes the next attempt.', ...at };
  }
}

/** The next step of an ended delivery. Only a resend or a replay sends it again; a reactivation alone does not. */
function undelivered(reason: Delivery['reason'], webhook: Webhook | undefined): NextStep {
  if (webhook === undefined) return { who: 'NOBODY', what: 'Its webhook was removed. The feed has its event.' };
  const again = webhook.status ? 'requests a resend' : 'reactivates the webhook and requests a resend';
  switch (reason) {
    case 'INTERNAL':
      return {
        who: 'FINANCE',
        what: `The service failed. Checks the log of deliver-webhook, then resends it${webhook.status ? '' : ' once the client has reactivated the webhook'}.`,
      };
    case 'WEBHOOK_INACTIVE':
      return {
        who: 'CLIENT',
        what: `If it wants the event, ${again}: the webhook was inactive while the delivery waited.`,
      };
    case 'BLOCKED':
      return { who: 'CLIENT', what: `Changes the webhook to an allowed address, then ${again}.` };
    default:
      return { who: 'CLIENT', what: `Repairs its endpoint, then ${again}.` };
  }
}
