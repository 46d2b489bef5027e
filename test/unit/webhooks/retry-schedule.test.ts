import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { MOST_ATTEMPTS, requestedDelay, retryAt } from '#shared/webhooks/model/delivery-outcome.ts';

const NOON = new Date('2026-08-01T12:00:00.000Z');
const HOUR = 3600;
const GAPS = [5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];

/** Seconds until the next attempt. */
function gapAfter(attemptsMade: number, random: number): number | undefined {
  const next = retryAt(attemptsMade, NOON, () => random);
  return next === undefined ? undefined : (next.getTime() - NOON.getTime()) / 1000;
}

describe('decisions 7, retries: the schedule', () => {
  test('has ten attempts at exactly the scheduled times, and no eleventh', () => {
    const gaps = Array.from({ length: 12 }, (_, index) => gapAfter(index + 1, 0));
    expect(gaps).toEqual([...GAPS, undefined, undefined, undefined]);
    expect(MOST_ATTEMPTS).toBe(10);
  });

  test('spans 75 h 35 min 5 s', () => {
    let at = NOON;
    for (let made = 1, next = retryAt(made, at, () => 0); next !== undefined; next = retryAt(made, at, () => 0)) {
      at = next;
      made += 1;
    }
    expect((at.getTime() - NOON.getTime()) / 1000).toBe(75 * HOUR + 35 * 60 + 5);
  });

  test('is jittered: 10,000 draws are never early, at most 10 % and at most 15 min late', () => {
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), random, (attemptsMade, chance) => {
        const gap = GAPS[attemptsMade - 1] ?? Number.NaN;
        const late = (gapAfter(attemptsMade, chance) ?? Number.NaN) - gap;
        expect(late).toBeGreaterThanOrEqual(0);
        expect(late).toBeLessThanOrEqual(Math.min(gap * 0.1, 900));
      }),
      { numRuns: 10_000 },
    );
  });
});

describe('decisions 7, retries: the delay that an endpoint asks for', () => {
  test.each([
    ['120', 120],
    ['0', 0],
    ['86400', 86_400],
    ['86401', 86_400],
    ['9'.repeat(400), 86_400],
    ['Sat, 01 Aug 2026 12:02:00 GMT', 120],
    ['Saturday, 01-Aug-26 12:02:00 GMT', 120],
    ['Sat Aug  1 12:02:00 2026', 120],
    ['Fri, 01 Jan 2099 00:00:00 GMT', 86_400],
  ])('by %s is %d s', (retryAfter, seconds) => {
    expect(requestedDelay(retryAfter, NOON)).toBe(seconds);
  });

  test.each([
    undefined,
    '',
    'soon',
    '-5',
    '12.5',
    '120, 60',
    '２',
    '2026-08-01T12:02:00Z',
    'Sat, 01 Aug 2026 12:00:00 GMT',
    'Sat, 99 Aug 2026 12:02:00 GMT',
    'Sat, 01 Aug 2026 12:02:00 +0200',
  ])('by %j is none', (retryAfter) => {
    expect(requestedDelay(retryAfter, NOON)).toBeUndefined();
  });

  test('by a date without a zone is counted in Greenwich, wherever it is read', () => {
    vi.stubEnv('TZ', 'America/Bogota');
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    expect(new Date(NOON).getHours()).toBe(7);
    expect(requestedDelay('Sat Aug  1 12:02:00 2026', NOON)).toBe(120);
  });

  test('by a date is not undercut by the milliseconds of the present', () => {
    expect(requestedDelay('Sat, 01 Aug 2026 12:02:00 GMT', new Date('2026-08-01T12:00:00.001Z'))).toBe(120);
  });

  test('is never more than a day or less than nothing, whatever it sends', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.date().map(String)), (retryAfter) => {
        const seconds = requestedDelay(retryAfter, NOON) ?? 0;
        expect(seconds).toBeGreaterThanOrEqual(0);
        expect(seconds).toBeLessThanOrEqual(86_400);
      }),
    );
  });
});
