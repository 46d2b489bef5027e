const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long something waits, in its two largest units: `3 d 4 h`, `5 h 10 min`, `2 min`. */
export function ageOf(since: string, now: Date): string {
  const age = Math.max(0, now.getTime() - Date.parse(since));
  const days = Math.floor(age / DAY);
  const hours = Math.floor((age % DAY) / HOUR);
  const minutes = Math.floor((age % HOUR) / MINUTE);
  if (days > 0) return `${days} d ${hours} h`;
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min`;
}
