import { describe, expect, test } from 'vitest';
import { addDays, dayIn, startOfDay, timeZone } from '#shared/platform/time-zone.ts';

describe('decisions 11, what callers say: the days of a time zone', () => {
  test.each([
    ['UTC', '2026-11-21', '2026-11-21T00:00:00.000Z', 24],
    ['America/Bogota', '2026-11-21', '2026-11-21T05:00:00.000Z', 24],
    ['America/New_York', '2026-03-07', '2026-03-07T05:00:00.000Z', 24],
    ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z', 23],
    ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z', 25],
    ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z', 24],
    // Clocks are changed at midnight: one day begins at one o'clock, and another has its last hour twice.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00.000Z', 23],
    ['America/Santiago', '2026-04-04', '2026-04-04T03:00:00.000Z', 25],
    ['Asia/Kathmandu', '2026-11-21', '2026-11-20T18:15:00.000Z', 24],
    ['Pacific/Kiritimati', '2026-11-21', '2026-11-20T10:00:00.000Z', 24],
    ['Etc/GMT+12', '2026-11-21', '2026-11-21T12:00:00.000Z', 24],
    // A day that this zone has never had.
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z', 0],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z', 24],
  ])('%s: %s begins at %s and has %i hours', (zone, day, start, hours) => {
    expect(startOfDay(zone, day).toISOString()).toBe(start);
    const end = startOfDay(zone, addDays(day, 1));
    expect((end.getTime() - Date.parse(start)) / 3600_000).toBe(hours);
    if (hours === 0) return;
    const dayOf = dayIn(zone);
    const [first, before] = [new Date(start), new Date(Date.parse(start) - 1)];
    expect([dayOf(first), dayOf(new Date(end.getTime() - 1))]).toEqual([day, day]);
    expect(dayOf(before) < day).toBe(true);
  });

  test('go over the ends of months and years', () => {
    expect([addDays('2026-12-31', 1), addDays('2028-03-01', -1)]).toEqual(['2027-01-01', '2028-02-29']);
  });

  test('are those of a name that IANA knows', () => {
    const names = ['UTC', 'America/Bogota', 'Europe/Madrid', 'Bogota', '+05:00', '-05', '', 'Mars/Olympus', 'America/'];
    expect(names.filter((name) => timeZone.safeParse(name).success)).toEqual(names.slice(0, 3));
  });
});
