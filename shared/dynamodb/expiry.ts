const DAY = 24 * 3600;

/** For as long as deliveries can be looked at and sent again. */
const DELIVERY_DAYS = 90;

/** An event outlasts every delivery of it, with the attempts that are still to come on its last day. */
const EVENT_DAYS = DELIVERY_DAYS + 10;

/** When a delivery or an attempt may be forgotten: seconds since 1970, as DynamoDB wants it. */
export function deliveryExpiry(now: Date): number {
  return Math.floor(now.getTime() / 1000) + DELIVERY_DAYS * DAY;
}

/** The same of an event that the bus has. */
export function eventExpiry(now: Date): number {
  return Math.floor(now.getTime() / 1000) + EVENT_DAYS * DAY;
}
