import { describe, expect, test } from 'vitest';
import {
  hashStatusOf,
  mayBecome,
  mayEndAs,
  operationStatuses,
  windowEndFor,
} from '#shared/off-ramps/model/off-ramp.ts';
import { EXPIRES_AT, HASH, OTHER_HASH, offRamp } from '#test/support/off-ramp.ts';

describe('interface 3.2: the hash status', () => {
  const left = ['PENDING', 'COMPLETED', 'CANCELLED', 'FAILED'] as const;

  test('NOT_SUBMITTED until a hash is reported', () => {
    expect(hashStatusOf({ status: 'AWAITING_DEPOSIT' })).toBe('NOT_SUBMITTED');
  });

  test('VERIFYING once a hash is reported', () => {
    expect(hashStatusOf({ status: 'AWAITING_DEPOSIT', txHash: HASH })).toBe('VERIFYING');
  });

  test.each(operationStatuses)('VERIFIED once a deposit is confirmed, whatever the operation becomes: %s', (status) => {
    expect(hashStatusOf({ status, verifiedTxHash: HASH })).toBe('VERIFIED');
    expect(hashStatusOf({ status, verifiedTxHash: HASH, txHash: HASH })).toBe('VERIFIED');
    expect(hashStatusOf({ status, verifiedTxHash: HASH, txHash: OTHER_HASH })).toBe('VERIFIED');
  });

  test.each(left)('NOT_VERIFIED when the operation left AWAITING_DEPOSIT without a deposit: %s', (status) => {
    expect(hashStatusOf({ status })).toBe('NOT_VERIFIED');
    expect(hashStatusOf({ status, txHash: HASH })).toBe('NOT_VERIFIED');
  });
});

test('decisions 4, operation statuses: exactly these transitions are allowed', () => {
  const allowed = operationStatuses.flatMap((from) =>
    operationStatuses.filter((to) => mayBecome(from, to)).map((to) => `${from} > ${to}`),
  );
  expect(allowed.toSorted()).toEqual([
    'AWAITING_DEPOSIT > CANCELLED',
    'AWAITING_DEPOSIT > FAILED',
    'AWAITING_DEPOSIT > PENDING',
    'PENDING > CANCELLED',
    'PENDING > COMPLETED',
    'PENDING > FAILED',
  ]);
});

test('decisions 4, operation statuses: others than a confirmed deposit only end an operation', () => {
  const allowed = operationStatuses.flatMap((from) =>
    operationStatuses.filter((to) => mayEndAs(from, to)).map((to) => `${from} > ${to}`),
  );
  expect(allowed.toSorted()).toEqual([
    'AWAITING_DEPOSIT > CANCELLED',
    'AWAITING_DEPOSIT > FAILED',
    'PENDING > CANCELLED',
    'PENDING > COMPLETED',
    'PENDING > FAILED',
  ]);
});

describe('decisions 4, verification window', () => {
  const end = (submittedAt: string) => windowEndFor(offRamp(), new Date(submittedAt), 1800);

  test('ends at expiresAt for a submission before it', () => {
    expect(end('2026-08-01T12:00:00.000Z')).toBe(EXPIRES_AT);
    expect(end('2026-08-02T11:59:59.999Z')).toBe(EXPIRES_AT);
  });

  test('ends 30 minutes after a submission that comes at expiresAt or later', () => {
    expect(end('2026-08-02T12:00:00.000Z')).toBe('2026-08-02T12:30:00.000Z');
    expect(end('2027-01-01T00:00:00.000Z')).toBe('2027-01-01T00:30:00.000Z');
  });
});
