import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { depositKeysOf } from '#shared/off-ramps/deposit-key.ts';
import { isAwaitedBy } from '#shared/off-ramps/deposit-match.ts';
import type { OffRampState, OffRamps } from '#shared/off-ramps/off-ramp-store.ts';
import type { Clock } from '#shared/platform/clock.ts';

/**
 * The operations that a transfer can go to (decisions.md 4, Detected without a report): the one that declared its hash,
 * then those with an open window, oldest first, then expired ones, newest first.
 */
export function createFindCandidates(
  operations: Pick<OffRamps, 'findWithVerification' | 'idsAwaiting'>,
  declarantOf: (txHash: string) => Promise<string | undefined>,
  clock: Clock,
) {
  return async (transfer: CustodianTransfer): Promise<readonly string[]> => {
    const declarant = await declarantOf(transfer.txHash);
    const ids = new Set([
      ...(declarant ? [declarant] : []),
      ...(await operations.idsAwaiting(depositKeysOf(transfer))),
    ]);
    const found = await Promise.all([...ids].map((id) => operations.findWithVerification(id)));
    const awaiting = found.filter((state) => state !== undefined).filter((state) => awaits(state, transfer));
    const oldestFirst = awaiting.toSorted((one, other) =>
      one.operation.createdAt < other.operation.createdAt ? -1 : 1,
    );
    const now = clock.now().toISOString();
    const declared = oldestFirst.filter(({ operation }) => operation.operationId === declarant);
    const open = oldestFirst.filter((state) => now < windowEnd(state));
    const expired = oldestFirst.filter((state) => now >= windowEnd(state)).toReversed();
    return [...new Set([...declared, ...open, ...expired].map(({ operation }) => operation.operationId))];
  };
}

function awaits({ operation }: OffRampState, transfer: CustodianTransfer): boolean {
  return operation.status === 'AWAITING_DEPOSIT' && isAwaitedBy(operation, transfer);
}

/** The later of the operation's own window and that of its current attempt. */
function windowEnd({ operation, verification }: OffRampState): string {
  const ends = [operation.expiresAt, verification?.windowEndsAt ?? ''];
  return ends.toSorted().at(-1) ?? operation.expiresAt;
}
