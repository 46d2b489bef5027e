import type { Claimed, IdempotencyRecords } from '#shared/dynamodb/idempotency-records.ts';

interface Kept {
  readonly requestDigest: string;
  readonly resourceId: string;
  readonly expiresAt: number;
  claimToken: string;
  lockedUntil: number;
  answer?: string;
}

/** Keeps what the table keeps, under the same conditions. */
export function idempotencyRecordsInMemory(): IdempotencyRecords {
  const records = new Map<string, Kept>();
  let claims = 0;
  const heldAs = ({ scopeDigest, claimToken }: { scopeDigest: string; claimToken: string }) => {
    const kept = records.get(scopeDigest);
    return kept?.claimToken === claimToken ? kept : undefined;
  };
  return {
    async claim({ scopeDigest, requestDigest, resourceId, now, lockedUntil, expiresAt }): Promise<Claimed> {
      claims += 1;
      const claimToken = `claim-${claims}`;
      const kept = records.get(scopeDigest);
      if (kept === undefined || kept.expiresAt <= now) {
        records.set(scopeDigest, { requestDigest, resourceId, expiresAt, claimToken, lockedUntil });
        return { state: 'CLAIMED', resourceId, isFirstTry: true, claimToken };
      }
      if (kept.requestDigest !== requestDigest) return { state: 'OTHER_REQUEST' };
      if (kept.answer !== undefined) return { state: 'ANSWERED', answer: kept.answer };
      if (kept.lockedUntil > now) return { state: 'LOCKED' };
      kept.claimToken = claimToken;
      kept.lockedUntil = lockedUntil;
      return { state: 'CLAIMED', resourceId: kept.resourceId, isFirstTry: false, claimToken };
    },
    async answer(held, answer) {
      const kept = heldAs(held);
      if (kept !== undefined) kept.answer = answer;
    },
    async forget(held) {
      if (heldAs(held) !== undefined) records.delete(held.scopeDigest);
    },
    async unlock(held) {
      const kept = heldAs(held);
      if (kept !== undefined) kept.lockedUntil = 0;
    },
  };
}
