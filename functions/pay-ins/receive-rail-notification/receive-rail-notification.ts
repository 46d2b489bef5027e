import type { FindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { type FindPayment, RailUnavailable, type ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import type { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { signedBy } from '#shared/platform/http/signed-by.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly readNotification: ReadRailNotification;
  readonly findPayin: FindPayin;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
}

/**
 * Applies the rail's payment to the pay-in before it answers. Any failure answers 5xx, and the rail sends the
 * notification again.
 */
export function receiveRailNotification(deps: Dependencies): UseCase<typeof receiveRailNotificationContract> {
  return async ({ bytes, http }) => {
    const notification = { rawBody: bytes(), headers: http.headers };
    const notified = await signedBy('rail', deps.readNotification(notification));
    if (notified === undefined) return { body: { received: false } };
    const { reference: payinId } = notified;
    const asked = await deps.findPayin(payinId);
    const payment = await unlessUnavailable(deps.findPayment(payinId));
    if (payment === undefined) return { body: { received: false } };
    await unlessUnavailable(deps.settlePayin(payinId, { asked, payment }));
    return { body: { received: true }, ids: { payinId } };
  };
}

async function unlessUnavailable<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error;
    const { retryAfter: retryAfterSeconds } = error;
    throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, {
      cause: error,
      ...(retryAfterSeconds && { retryAfterSeconds }),
    });
  }
}
