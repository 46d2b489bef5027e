import { declareErrors } from '#shared/platform/http/api-errors.ts';
import { MOST_LOGGED_ATTEMPTS } from '#shared/webhooks/model/delivery.ts';

/** Errors of requests about webhooks and their deliveries. */
export const webhookErrors = declareErrors({
  WEBHOOK_NOT_FOUND: [404, 'The client has no webhook with this id. GET /api/webhooks/{clientId} lists its webhooks.'],
  DELIVERY_NOT_FOUND: [
    404,
    'The webhook has no delivery with this id. Deliveries are kept for 90 days; the list of deliveries has them.',
  ],
  TOO_MANY_ATTEMPTS: [
    409,
    `The delivery has had ${MOST_LOGGED_ATTEMPTS} attempts and gets no more. Read its resource instead.`,
  ],
  WEBHOOK_INACTIVE: [409, 'The webhook is inactive. Reactivate it first, by PATCH with status true.'],
  WEBHOOK_ACTIVE: [409, 'The webhook is active. Deactivate it first, by DELETE.'],
  TOO_MANY_WEBHOOKS: [409, 'The client has 100 webhooks, or 10 active ones of the process. The detail says which.'],
});
