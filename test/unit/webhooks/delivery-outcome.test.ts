import { describe, expect, test } from 'vitest';
import { callError } from '#shared/webhooks/model/delivery.ts';
import { attemptOutcome } from '#shared/webhooks/model/delivery-outcome.ts';

const NOON = new Date('2026-08-01T12:00:00.000Z');

/** Without jitter. */
const outcomeAfter = (attemptsMade: number, result: Parameters<typeof attemptOutcome>[0]) =>
  attemptOutcome(result, attemptsMade, NOON, () => 0);

const retried = (nextAttemptAt: string) => ({ status: 'PENDING', nextAttemptAt });
const scheduled = retried('2026-08-01T12:00:05.000Z');

describe('decisions 7, retries: the outcome on an answer', () => {
  test.each([200, 202, 204, 299])(
    'of %d is that it is delivered, at the first as at the last attempt',
    (statusCode) => {
      expect(outcomeAfter(1, { statusCode })).toEqual({ status: 'DELIVERED' });
      expect(outcomeAfter(10, { statusCode, retryAfter: '120' })).toEqual({ status: 'DELIVERED' });
    },
  );

  test.each([0, 199, 300, 400, 401, 404, 409, 429, 500, 503, 599])(
    'of %d is another attempt, and none after ten',
    (statusCode) => {
      expect(outcomeAfter(1, { statusCode })).toEqual(scheduled);
      expect(outcomeAfter(9, { statusCode })).toEqual(retried('2026-08-02T12:00:00.000Z'));
      expect(outcomeAfter(10, { statusCode })).toEqual({ status: 'FAILED', reason: 'EXHAUSTED' });
    },
  );

  test.each(callError.options)('that did not come because of %s is another attempt', (error) => {
    expect(outcomeAfter(1, { error })).toEqual(scheduled);
    expect(outcomeAfter(10, { error })).toEqual({ status: 'FAILED', reason: 'EXHAUSTED' });
  });

  test('of 410 ends the delivery, whichever attempt it is', () => {
    expect(outcomeAfter(1, { statusCode: 410, retryAfter: '120' })).toEqual({
      status: 'FAILED',
      reason: 'ENDPOINT_GONE',
    });
    expect(outcomeAfter(10, { statusCode: 410 })).toEqual({ status: 'FAILED', reason: 'ENDPOINT_GONE' });
  });

  test('of an address that may never be called ends the delivery', () => {
    const blocked = { error: 'BLOCKED', isUrlBlocked: true } as const;
    expect(outcomeAfter(1, blocked)).toEqual({ status: 'FAILED', reason: 'BLOCKED' });
    expect(outcomeAfter(1, { ...blocked, isUrlBlocked: false })).toEqual(scheduled);
  });
});

describe('decisions 7, retries: Retry-After', () => {
  test.each([429, 503])('with %d puts the attempt off', (statusCode) => {
    expect(outcomeAfter(1, { statusCode, retryAfter: '120' })).toEqual(retried('2026-08-01T12:02:00.000Z'));
    const date = 'Sat, 01 Aug 2026 15:00:00 GMT';
    expect(outcomeAfter(3, { statusCode, retryAfter: date })).toEqual(retried('2026-08-01T15:00:00.000Z'));
  });

  test.each([429, 503])('with %d never makes it earlier than the schedule', (statusCode) => {
    expect(outcomeAfter(1, { statusCode, retryAfter: '0' })).toEqual(scheduled);
    expect(outcomeAfter(3, { statusCode, retryAfter: '120' })).toEqual(retried('2026-08-01T12:30:00.000Z'));
  });

  test('of the year 2099 puts it off by a day', () => {
    const retryAfter = 'Fri, 01 Jan 2099 00:00:00 GMT';
    expect(outcomeAfter(1, { statusCode: 503, retryAfter })).toEqual(retried('2026-08-02T12:00:00.000Z'));
  });

  test.each([301, 400, 500, 502, 504])('with %d is ignored', (statusCode) => {
    expect(outcomeAfter(1, { statusCode, retryAfter: '120' })).toEqual(scheduled);
  });
});

test('decisions 7, retries: jitter makes an attempt later, never earlier', () => {
  expect(attemptOutcome({ statusCode: 500 }, 1, NOON, () => 0.5)).toEqual(retried('2026-08-01T12:00:05.250Z'));
});
