import type { FindPayin, PayinStore } from '#shared/pay-ins/pay-in-repository.ts';
import { type FindPayment, RailUnavailable, type ReadRailNotification } from '#shared/pay-ins/rails/payment-rail.ts';
import type { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { signedBy } from '#shared/platform/http/signed-by.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly readNotification: ReadRailNotification;
  readonly findPayin: FindPayin;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly pollAgainAt: PayinStore['pollAgainAt'];
  readonly clock: Clock;
}

/** Milliseconds. A rail may answer from a copy that is older than its notification. */
const AGAIN_AFTER = 60_000;

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
    const settled = await unlessUnavailable(deps.settlePayin(payinId, { asked, payment }));
    if (settled !== undefined && (settled.status !== 'COMPLETED' || settled.sequence === asked?.sequence)) {
      // It may have been read before the news: without this, the next poll may be a day away.
      await deps.pollAgainAt(settled, new Date(deps.clock.now().getTime() + AGAIN_AFTER).toISOString());
    }
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
