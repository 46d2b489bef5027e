import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { transferOf } from '#shared/off-ramps/model/deposit.ts';
import { hasEnded, isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import { isAsFrozen } from '#shared/off-ramps/model/returns.ts';
import type { Returning } from '#shared/off-ramps/transitions/return-deposit.ts';

/**
 * Asks right before it is sent whether the deposit is still there, as it was when its return was requested. An answer
 * without it proves nothing, and one that is not final, or cannot be read, is asked for again.
 *
 * @returns what the custodian says of it if the request is to be dropped @throws {CustodianUnavailable}
 */
export async function recheckDeposit(
  { findTransfer }: { readonly findTransfer: AskForTransfer },
  seen: Returning,
): Promise<'THERE' | 'LATER' | { readonly found: CustodianTransfer }> {
  const { custodianTransferId } = seen;
  const found = await findTransfer({ custodianTransferId, seen: transferOf(seen) });
  if (found === undefined || 'unreadableFields' in found) return 'LATER';
  if (hasEnded(found) || found.state === 'HELD') return { found };
  if (!isFinal(found)) return 'LATER';
  return isAsFrozen(seen.network, found, seen.return) ? 'THERE' : { found };
}
