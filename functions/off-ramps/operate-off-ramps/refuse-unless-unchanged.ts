import { isDeepStrictEqual } from 'node:util';
import { type CustodianTransfer, NotServed } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { orServiceUnavailable } from '#shared/off-ramps/custodians/or-service-unavailable.ts';
import { isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import { statusConflict } from './existing-deposit.ts';

/**
 * Asks the custodian for a deposit right before a person credits it or sends it back: the stored facts may be hours
 * old, and no custodian notifies of every deposit that it freezes.
 *
 * @throws {ApiError} when the custodian now reports other facts, or does not answer
 */
export async function refuseUnlessUnchanged(
  { findTransfer }: { readonly findTransfer: AskForTransfer },
  known: CustodianTransfer,
): Promise<void> {
  const found = await orApiError(findTransfer({ custodianTransferId: known.custodianTransferId, seen: known }));
  if (found === undefined || 'unreadableFields' in found)
    throw statusConflict('The custodian does not say what has become of it: poll-deposit asks again.');
  if (!isFinal(found))
    throw statusConflict(`It is not final: the custodian says ${found.state} by now. See poll-deposit.`);
  if (!isDeepStrictEqual(factsOf(found), factsOf(known)))
    throw statusConflict('The custodian has corrected it: poll-deposit stores the correction.');
}

/** @throws {ApiError} with 409 for a custodian that was removed from the settings: it will not answer later either */
export function orApiError<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return orServiceUnavailable(
    answer.catch((error: unknown) => {
      if (!(error instanceof NotServed)) throw error;
      throw statusConflict(`${error.message} Put it back into the settings of the stage.`);
    }),
  );
}

function factsOf({ fromAddress, toAddress, toTag, assetId, amount }: CustodianTransfer) {
  return { fromAddress, toAddress, toTag, assetId, amount };
}
