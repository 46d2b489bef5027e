const DAY = 24 * 3600;

/** When what is kept for so many days expires: seconds since 1970, as DynamoDB expects. */
export function expiry(now: Date, days: number): number {
  return Math.floor(now.getTime() / 1000) + days * DAY;
}
