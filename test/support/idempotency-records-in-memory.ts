import type { Claimed, IdempotencyRecords } from '#shared/dynamodb/idempotency-records.ts';

interface Kept {
  readonly requestDigest: string;
  readonly resourceId: string;
  readonly expiresAt: number;
  lockedUntil: number;
  answer?: string;
}

/** Keeps what the table keeps, under the same conditions. */
export function idempotencyRecordsInMemory(): IdempotencyRecords {
  const records = new Map<string, Kept>();
  return {
    async claim({ scopeDigest, requestDigest, resourceId, now, lockedUntil, expiresAt }): Promise<Claimed> {
      const kept = records.get(scopeDigest);
      if (kept === undefined || kept.expiresAt <= now) {
        records.set(scopeDigest, { requestDigest, resourceId, expiresAt, lockedUntil });
        return { state: 'CLAIMED', resourceId, isFirstTry: true };
      }
      if (kept.requestDigest !== requestDigest) return { state: 'OTHER_REQUEST' };
      if (kept.answer !== undefined) return { state: 'ANSWERED', answer: kept.answer };
      if (kept.lockedUntil > now) return { state: 'LOCKED' };
      kept.lockedUntil = lockedUntil;
      return { state: 'CLAIMED', resourceId: kept.resourceId, isFirstTry: false };
    },
    async answer(scopeDigest, answer) {
      const kept = records.get(scopeDigest);
      if (kept !== undefined) kept.answer = answer;
    },
    async forget(scopeDigest) {
      records.delete(scopeDigest);
    },
    async unlock(scopeDigest) {
      const kept = records.get(scopeDigest);
      if (kept !== undefined) kept.lockedUntil = 0;
    },
  };
}
