import * as z from 'zod/mini';

/** A time zone by its IANA name. */
export const timeZone = z.string().check(({ value, issues }) => {
  if (isTimeZone(value)) return;
  const message = 'must be an IANA time zone, like America/Bogota';
  issues.push({ code: 'invalid_format', format: 'regex', input: value, message });
});

function isTimeZone(name: string): boolean {
  try {
    // An offset, which is none of IANA's names, has no days of its own when clocks are changed.
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
 * When a day begins in a time zone, to the millisecond: where clocks are changed at midnight, that is no midnight. The
 * first millisecond that has the day, or, where none has it, a later one.
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
