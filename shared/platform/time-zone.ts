import * as z from 'zod/mini';

/** A time zone by its IANA name. */
export const timeZone = z.string().check(({ value, issues }) => {
  if (isTimeZone(value)) return;
  const message = 'must be an IANA time zone, like America/Bogota';
  issues.push({ code: 'invalid_format', format: 'regex', input: value, message });
});

function isTimeZone(name: string): boolean {
  try {
    // An offset such as +05:00 is no IANA name, and does not follow changes of the clocks.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const DAY = 24 * 3600_000;

/** The day of a time as the clocks of a time zone have it: `2026-11-21`. */
export function dayIn(zone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    ...({ calendar: 'gregory', numberingSystem: 'latn', year: 'numeric', month: '2-digit', day: '2-digit' } as const),
  });
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]));
    return `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`;
  };
}

/** The day that is so many days after one. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/**
 * The first millisecond of a day in a time zone: not midnight where the clocks change then. For a day that the zone
 * left out, the first millisecond after it.
 */
export function startOf(zone: string, day: string): Date {
  const dayOf = dayIn(zone);
  // No zone is as far from UTC as that.
  let [before, from] = [Date.parse(day) - DAY, Date.parse(day) + DAY];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayOf(new Date(middle)) < day) before = middle;
    else from = middle;
  }
  return new Date(from);
}
