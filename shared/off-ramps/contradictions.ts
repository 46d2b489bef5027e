import type { Contradiction, OffRamp } from './off-ramp.ts';

/** Those that stand: a person has not decided yet. */
function standingOf({ contradictions = [] }: Pick<OffRamp, 'contradictions'>): readonly Contradiction[] {
  return contradictions.filter(({ closedAt }) => closedAt === undefined);
}

/**
 * Whether the deposit of an operation is owed to somebody: it was credited and, as far as is known, not paid out (decisions
 * 11, Lists). Whether the deposit itself is still there is its own matter.
 */
export function isOwed(operation: OffRamp): boolean {
  const { status, verifiedTransferId, paidOut } = operation;
  if (verifiedTransferId === undefined || paidOut === true) return false;
  if (status === 'CANCELLED' || status === 'FAILED') return true;
  return status === 'COMPLETED' && (paidOut === false || isReturned(operation));
}

function isReturned(operation: OffRamp): boolean {
  return standingOf(operation).some(({ status }) => status === 'PAYOUT_RETURNED');
}
