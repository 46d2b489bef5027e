const DAY = 24 * 3600;

/** For as long as deliveries can be read and sent again. */
const DELIVERY_DAYS = 90;

/** How far back a replay may reach: it makes deliveries of events that are as old as that. */
export const REPLAY_DAYS = 14;

/**
 * Longer than all attempts of a delivery take, each delayed for a day by its endpoint; times with an open circuit not
 * counted.
 */
const ATTEMPTS_DAYS = 10;

/** An event outlasts every delivery of it, with the attempts that are still to come on its last day. */
const EVENT_DAYS = DELIVERY_DAYS + REPLAY_DAYS + ATTEMPTS_DAYS;

/** Longer than a webhook may fail before it is deactivated. */
const HEALTH_DAYS = 30;

/** When a delivery or an attempt expires: seconds since 1970, as DynamoDB expects. */
export function deliveryExpiry(now: Date): number {
  return expiry(now, DELIVERY_DAYS);
}

/** The same for an event that the bus has accepted. */
export function eventExpiry(now: Date): number {
  return expiry(now, EVENT_DAYS);
}

/** The same for the health of a webhook, which may have been removed. */
export function healthExpiry(now: Date): number {
  return expiry(now, HEALTH_DAYS);
}

/** Whether what is called all the time, and seldom written, has to be written again to be kept. */
export function isSoonExpired(expiresAt: number, now: Date): boolean {
  return expiresAt < expiry(now, HEALTH_DAYS / 2);
}

function expiry(now: Date, days: number): number {
  return Math.floor(now.getTime() / 1000) + days * DAY;
}
