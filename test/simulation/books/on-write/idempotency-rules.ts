import type { Change } from '../change.ts';
import { differing, expiry, has, number, text } from '../items.ts';
import { must } from '../violation.ts';
import type { Written } from '../written.ts';

/** Milliseconds: times of a key are in whole seconds. */
const SECOND = 1000;

/** Checks a write of an idempotency key, while it is remembered. */
export function checkIdempotency({ before, after }: Change, { ledger, now, skew }: Written): void {
  const scope = text(after ?? before, 'scopeDigest');
  if (before === undefined || expiry(before) <= now + skew) return;
  const made = text(before, 'resourceId');
  const isMade = ledger.operations.has(made) || ledger.payins.has(made);
  const isKept = after !== undefined || (!isMade && !has(before, 'answer'));
  must('a key that made something is not forgotten', isKept, { scope, made });
  if (after === undefined) return;
  const changed = differing(before, after, ['requestDigest', 'resourceId']);
  must('a key is for one request and makes one thing', changed.length === 0, { scope, changed });
  const isSame = !has(before, 'answer') || text(before, 'answer') === text(after, 'answer');
  must('the answer under a key never changes', isSame, { scope, made });
  const isTaken = text(before, 'claimToken') !== text(after, 'claimToken');
  const isFree = number(before, 'lockedUntil') * SECOND <= now + skew;
  must('one request works under a key at a time', !isTaken || isFree, {
    scope,
    lockedUntil: number(before, 'lockedUntil'),
  });
}
