import { expiry } from '#shared/platform/dynamodb/expiry.ts';

/** For as long as deliveries can be read and sent again. */
const DELIVERY_DAYS = 90;

/** How far back a replay may reach: it makes deliveries of events that are as old as that. */
export const REPLAY_DAYS = 14;

/** Longer than a webhook may fail before it is deactivated. */
const HEALTH_DAYS = 30;

/** When a delivery or an attempt expires. */
export function deliveryExpiry(now: Date): number {
  return expiry(now, DELIVERY_DAYS);
}

/** The same for the health of a webhook, which may have been removed. */
export function healthExpiry(now: Date): number {
  return expiry(now, HEALTH_DAYS);
}

/** Whether what is called all the time, and seldom written, has to be written again to be kept. */
export function isSoonExpired(expiresAt: number, now: Date): boolean {
  return expiresAt < expiry(now, HEALTH_DAYS / 2);
}
