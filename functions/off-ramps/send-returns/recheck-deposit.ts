import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { transferOf } from '#shared/off-ramps/model/deposit.ts';
import { hasEnded, isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import { fitsFrozenReturn } from '#shared/off-ramps/model/returns.ts';
import type { Returning } from '#shared/off-ramps/transitions/return-deposit.ts';

/**
 * Asks the custodian, right before a return is sent, whether the deposit is still there, as it was when its return was
 * requested. THERE: it is. LATER: the answer does not have it, is not final or cannot be read, so ask again later.
 * Otherwise the request must be dropped, and `found` is the transfer as the custodian has it.
 *
 * @throws {CustodianUnavailable}
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
  return fitsFrozenReturn(seen.network, found, seen.return) ? 'THERE' : { found };
}
