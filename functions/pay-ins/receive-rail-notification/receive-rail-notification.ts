import { type FindPayment, RailUnavailable, type ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import type { receiveRailNotification as contract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { signedBy } from '#shared/platform/http/signed-by.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly readNotification: ReadRailNotification;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
}

/**
 * Gives the pay-in the end of its payment before it answers. Any failure answers 5xx, which makes the rail send the
 * notification again.
 */
export function receiveRailNotification(deps: Dependencies): UseCase<typeof contract> {
  return async ({ bytes, http }) => {
    const notification = { rawBody: bytes(), headers: http.headers };
    const notified = await signedBy('rail', deps.readNotification(notification));
    if (notified === undefined) return { body: { received: false } };
    const payment = await lookUp(deps.findPayment, notified.reference);
    if (payment !== undefined) await deps.settlePayin(payment.reference, payment);
    return { body: { received: payment !== undefined }, ids: { payinId: payment?.reference } };
  };
}

async function lookUp(findPayment: FindPayment, reference: string) {
  try {
    return await findPayment(reference);
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error;
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: error });
  }
}
