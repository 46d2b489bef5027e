import { declareErrors } from '#shared/platform/http/api-errors.ts';

/** Refusals of requests about pay-ins. */
export const payinErrors = declareErrors({
  PAYIN_NOT_FOUND: [404, 'The user has no pay-in with this id. Check both ids.'],
  PAYIN_STATUS_CONFLICT: [
    409,
    'The status of the pay-in does not allow this change. Read the pay-in to see its status.',
  ],
  RAIL_REJECTED: [
    502,
    'The payment rail refused the payment, and the pay-in has failed. To try again, create another pay-in with another Idempotency-Key.',
  ],
  RAIL_UNAVAILABLE: [
    503,
    'The payment rail does not answer, and the pay-in may be payable. Read it by payinId, or repeat the request with the same Idempotency-Key.',
  ],
});
