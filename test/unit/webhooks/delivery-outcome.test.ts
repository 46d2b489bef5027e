import { describe, expect, test } from 'vitest';
import { callError } from '#shared/webhooks/delivery-attempt.ts';
import { outcomeOf } from '#shared/webhooks/delivery-outcome.ts';

const NOON = new Date('2026-08-01T12:00:00.000Z');

/** Without jitter. */
const verdictAfter = (attemptsMade: number, result: Parameters<typeof outcomeOf>[0]) =>
  outcomeOf(result, attemptsMade, NOON, () => 0);

const retried = (nextAttemptAt: string) => ({ status: 'PENDING', nextAttemptAt });
const scheduled = retried('2026-08-01T12:00:05.000Z');

describe('decisions 7, retries: the outcome on an answer', () => {
  test.each([200, 202, 204, 299])('case 7: %d is a delivery, at the first as at the last attempt', (statusCode) => {
    expect(verdictAfter(1, { statusCode })).toEqual({ status: 'DELIVERED' });
    expect(verdictAfter(10, { statusCode, retryAfter: '120' })).toEqual({ status: 'DELIVERED' });
  });

  test.each([301, 302, 303, 307, 308])('case 8: the redirect %d is a failure', (statusCode) => {
    expect(verdictAfter(1, { statusCode })).toEqual(scheduled);
  });

  test.each([0, 199, 300, 400, 401, 404, 409, 429, 500, 503, 599])(
    'case 9: %d is tried again, and exhausted after ten attempts',
    (statusCode) => {
      expect(verdictAfter(1, { statusCode })).toEqual(scheduled);
      expect(verdictAfter(9, { statusCode })).toEqual(retried('2026-08-02T12:00:00.000Z'));
      expect(verdictAfter(10, { statusCode })).toEqual({ status: 'FAILED', reason: 'EXHAUSTED' });
    },
  );

  test.each(callError.options)('case 10: no answer because of %s is tried again', (error) => {
    expect(verdictAfter(1, { error })).toEqual(scheduled);
    expect(verdictAfter(10, { error })).toEqual({ status: 'FAILED', reason: 'EXHAUSTED' });
  });

  test('case 13: 410 ends it, whichever attempt it is', () => {
    expect(verdictAfter(1, { statusCode: 410, retryAfter: '120' })).toEqual({
      status: 'FAILED',
      reason: 'ENDPOINT_GONE',
    });
    expect(verdictAfter(10, { statusCode: 410 })).toEqual({ status: 'FAILED', reason: 'ENDPOINT_GONE' });
  });

  test('case 16: failing twice and then answering 200 is a delivery', () => {
    expect(
      [{ statusCode: 500 }, { statusCode: 500 }, { statusCode: 200 }].map((r, index) => verdictAfter(index + 1, r)),
    ).toEqual([scheduled, retried('2026-08-01T12:05:00.000Z'), { status: 'DELIVERED' }]);
  });

  test('case 45: what may never be called is not tried ten times', () => {
    const blocked = { error: 'BLOCKED', isTargetRefusedForGood: true } as const;
    expect(verdictAfter(1, blocked)).toEqual({ status: 'FAILED', reason: 'BLOCKED' });
    expect(verdictAfter(1, { ...blocked, isTargetRefusedForGood: false })).toEqual(scheduled);
  });
});

describe('case 14: Retry-After', () => {
  test.each([429, 503])('with %d puts the attempt off', (statusCode) => {
    expect(verdictAfter(1, { statusCode, retryAfter: '120' })).toEqual(retried('2026-08-01T12:02:00.000Z'));
    const date = 'Sat, 01 Aug 2026 15:00:00 GMT';
    expect(verdictAfter(3, { statusCode, retryAfter: date })).toEqual(retried('2026-08-01T15:00:00.000Z'));
  });

  test.each([429, 503])('with %d never makes it earlier than the schedule', (statusCode) => {
    expect(verdictAfter(1, { statusCode, retryAfter: '0' })).toEqual(scheduled);
    expect(verdictAfter(3, { statusCode, retryAfter: '120' })).toEqual(retried('2026-08-01T12:30:00.000Z'));
  });

  test.each(['', 'soon', '-5', '12.5'])('%j with 429 is as if there was none', (retryAfter) => {
    expect(verdictAfter(1, { statusCode: 429, retryAfter })).toEqual(scheduled);
  });

  test('of the year 2099 puts it off by a day', () => {
    const retryAfter = 'Fri, 01 Jan 2099 00:00:00 GMT';
    expect(verdictAfter(1, { statusCode: 503, retryAfter })).toEqual(retried('2026-08-02T12:00:00.000Z'));
  });

  test.each([301, 400, 500, 502, 504])('with %d has no say', (statusCode) => {
    expect(verdictAfter(1, { statusCode, retryAfter: '120' })).toEqual(scheduled);
  });

  test('does not grant an eleventh attempt', () => {
    expect(verdictAfter(10, { statusCode: 429, retryAfter: '120' })).toEqual({ status: 'FAILED', reason: 'EXHAUSTED' });
  });
});

test('decisions 7, retries: chance makes an attempt late', () => {
  expect(outcomeOf({ statusCode: 500 }, 1, NOON, () => 0.5)).toEqual(retried('2026-08-01T12:00:05.250Z'));
});
