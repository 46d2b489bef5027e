/** For as long as deliveries can be looked at and sent again. */
const KEPT_DAYS = 90;

/** When an event that was published, or a delivery of it, may be forgotten: seconds since 1970, as DynamoDB wants it. */
export function expiryFrom(now: Date): number {
  return Math.floor(now.getTime() / 1000) + KEPT_DAYS * 24 * 3600;
}
