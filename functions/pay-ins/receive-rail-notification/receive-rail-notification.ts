import type { FindPayin, PayinStore } from '#shared/pay-ins/pay-in-repository.ts';
import { type FindPayment, RailUnavailable } from '#shared/pay-ins/rails/payment-rail.ts';
import type { Rails } from '#shared/pay-ins/rails/rail-boundary.ts';
import type { receiveRailNotificationContract } from '#shared/pay-ins/rails/rail-notification-contract.ts';
import type { SettlePayin } from '#shared/pay-ins/settle-pay-in.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { refuseUnsigned } from '#shared/platform/http/refuse-unsigned.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

interface Dependencies {
  readonly rails: Rails<'readNotification'>;
  readonly findPayin: FindPayin;
  readonly findPayment: FindPayment;
  readonly settlePayin: SettlePayin;
  readonly pollAgainAt: PayinStore['pollAgainAt'];
  readonly clock: Clock;
}

/** Milliseconds. A rail may answer from a copy that is up to this old: a later poll sees the notified change. */
const STALE_FOR = 2 * 60_000;

/** Milliseconds until the next poll when the rail has not answered, at least. */
const AGAIN_AFTER = 60_000;

/** Milliseconds: the longest pause that a rail may ask for. */
const DAY = 24 * 3600_000;

/**
 * Applies the notified payments to their pay-ins before it answers. Any failure answers 5xx, so that the rail sends the
 * notification again.
 */
export function receiveRailNotification(deps: Dependencies): UseCase<typeof receiveRailNotificationContract> {
  return async ({ path, bytes, http }) => {
    const [first] = deps.rails.keys();
    const rail = deps.rails.get(path.rail ?? first ?? '');
    if (rail === undefined) throw new ApiError(apiErrors.NOT_FOUND);
    const reading = rail.readNotification({ rawBody: bytes(), headers: http.headers, query: http.query });
    const references = [...new Set(await refuseUnsigned('rail', reading))];
    const applied = await Promise.allSettled(references.map((payinId) => applyPayment(deps, payinId)));
    const failed = applied.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
    const received = applied.some((one) => one.status === 'fulfilled' && one.value);
    const [payinId] = references;
    return { body: { received }, ...(received && references.length === 1 && payinId && { ids: { payinId } }) };
  };
}

/** False if there is no such pay-in, or no payment of it: the daily list finds money without a pay-in. */
async function applyPayment(deps: Dependencies, payinId: string): Promise<boolean> {
  const asked = await deps.findPayin(payinId);
  if (asked === undefined) return false;
  try {
    const payment = await deps.findPayment(asked);
    const settled = payment === undefined ? asked : await deps.settlePayin(payinId, { asked, payment });
    if (settled !== undefined && (settled.status !== 'COMPLETED' || settled.sequence === asked.sequence)) {
      // The rail's answer may be older than the notification, and the next poll may be a month away.
      await deps.pollAgainAt(settled, later(deps, STALE_FOR));
    }
    return payment !== undefined;
  } catch (error) {
    if (!(error instanceof RailUnavailable)) throw error;
    const { retryAfter = 0 } = error;
    // The rail may send the notification again only a day later.
    await deps.pollAgainAt(asked, later(deps, Math.min(DAY, Math.max(AGAIN_AFTER, retryAfter * 1000))));
    throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, {
      cause: error,
      ids: { payinId },
      ...(retryAfter > 0 && { retryAfterSeconds: retryAfter }),
    });
  }
}

function later({ clock }: Dependencies, milliseconds: number): string {
  return new Date(clock.now().getTime() + milliseconds).toISOString();
}
