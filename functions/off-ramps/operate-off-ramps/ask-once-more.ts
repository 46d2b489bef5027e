import { isDeepStrictEqual } from 'node:util';
import { answeredNow } from '#shared/off-ramps/custodians/answered-now.ts';
import { type CustodianTransfer, NotServed } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import { statusConflict } from './existing-deposit.ts';

/**
 * Asks for a deposit right before a person credits it or sends it back: what is known of it may be hours old, and no
 * custodian tells of everything that it freezes.
 *
 * @throws {ApiError} when the custodian does not say the same of it now, or does not answer
 */
export async function refuseUnlessThere(
  { findTransfer }: { readonly findTransfer: AskForTransfer },
  known: CustodianTransfer,
): Promise<void> {
  const found = await answeredOrRefused(findTransfer({ custodianTransferId: known.custodianTransferId, seen: known }));
  if (found === undefined || 'unreadableFields' in found)
    throw statusConflict('The custodian does not say what has become of it: poll-deposit asks again.');
  if (!isFinal(found))
    throw statusConflict(`It is not final: the custodian says ${found.state} by now. See poll-deposit.`);
  if (!isDeepStrictEqual(factsOf(found), factsOf(known)))
    throw statusConflict('The custodian has corrected it: poll-deposit has that written down.');
}

/** @throws {ApiError} with 409 for a custodian that is not in the settings any more: it does not answer later either */
export function answeredOrRefused<Answer>(answer: Promise<Answer>): Promise<Answer> {
  return answeredNow(
    answer.catch((error: unknown) => {
      if (!(error instanceof NotServed)) throw error;
      throw statusConflict(`${error.message} Put it back into the settings of the stage.`);
    }),
  );
}

function factsOf({ fromAddress, toAddress, toTag, assetId, amount }: CustodianTransfer) {
  return { fromAddress, toAddress, toTag, assetId, amount };
}
