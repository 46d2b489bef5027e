import * as z from 'zod/mini';

/** A time zone by its IANA name. */
export const timeZone = z.string().check(({ value, issues }) => {
  if (isTimeZone(value)) return;
  const message = 'must be an IANA time zone, like America/Bogota';
  issues.push({ code: 'invalid_format', format: 'regex', input: value, message });
});

function isTimeZone(name: string): boolean {
  try {
    // An offset such as +05:00 is not an IANA name, and does not follow clock changes.
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

const DAY = 24 * 3600_000;

/** Returns a function that gives the calendar day of a time in a time zone: `2026-11-21`. */
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

/** The day that is this many days after the given one, or before it if negative. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY).toISOString().slice(0, 10);
}

/**
 * The first millisecond of a day in a time zone, which is not midnight if the clocks change then. For a day that the
 * zone skipped, the first millisecond after it.
 */
export function startOfDay(zone: string, day: string): Date {
  const dayOf = dayIn(zone);
  // No time zone is a whole day away from UTC.
  let [before, from] = [Date.parse(day) - DAY, Date.parse(day) + DAY];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (dayOf(new Date(middle)) < day) before = middle;
    else from = middle;
  }
  return new Date(from);
}
