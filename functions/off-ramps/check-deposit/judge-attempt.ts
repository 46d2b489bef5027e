import { type AskForTransfers, type CustodianTransfer, isReadable } from '#shared/off-ramps/custodians/custodian.ts';
import { type AskDependencies, askForTransaction } from '#shared/off-ramps/custodians/find-transfers.ts';
import { isSentTo, judgeDeposit, nearestFirst } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { AttemptInput, Mismatch } from '#shared/off-ramps/model/verification.ts';
import type { FindAddressOwners } from '#shared/off-ramps/store/claims.ts';
import type { RememberSeen } from '#shared/off-ramps/store/deposit-repository.ts';

export interface JudgeDependencies extends AskDependencies {
  readonly findAddressOwners: FindAddressOwners;
  readonly rememberSeen: RememberSeen;
}

/** Anybody can send thousands of transfers to an address in one transaction. The custodian notifies of the others. */
const MOST_REMEMBERED = 50;

/** The deposit that the operation awaits, or why there is none. */
type Judgement = { readonly match: CustodianTransfer } | Mismatched;

export interface Mismatched {
  readonly mismatch: Mismatch;
  /** The deposit to the operation's own address that the reason is about. */
  readonly seenTransferId?: string | undefined;
  /** The custodian does not want requests before this time, in seconds since 1970. */
  readonly notBefore?: number;
}

/** Judges the attempt's hash by the transfers that its client may see. */
export async function judgeAttempt(
  deps: JudgeDependencies,
  attempt: AttemptInput & Pick<Parameters<AskForTransfers>[0], 'wasUnknown' | 'isReported'>,
  operation: OffRamp,
): Promise<Judgement> {
  const { network, txHash, operationId, wasUnknown, isReported } = attempt;
  const asker = { operationId, attempt: attempt.attempt };
  const { transfers: found, notBefore } = await askForTransaction(
    deps,
    { network, txHash, since: operation.createdAt, wasUnknown, isReported },
    asker,
  );
  if (found === undefined) return { ...UNANSWERED, notBefore };
  const transfers = found.filter(isReadable);
  const disclosable = await disclosableTo(operation, transfers, deps.findAddressOwners);
  const judged = judgeDeposit(operation, disclosable);
  const match = 'match' in judged ? judged.match : undefined;
  const own = disclosable.filter((transfer) => transfer !== match && isSentTo(operation, transfer));
  const nearest = nearestFirst(operation, own).slice(0, MOST_REMEMBERED);
  const unreadable = found.filter((transfer) => !isReadable(transfer)).slice(0, MOST_REMEMBERED);
  await Promise.all([...nearest, ...unreadable].map(deps.rememberSeen));
  if ('match' in judged) return judged;
  // An unreadable transfer may be the deposit.
  if (nearest.length === 0 && unreadable.length > 0) return UNANSWERED;
  return { mismatch: judged, seenTransferId: nearest[0]?.custodianTransferId };
}

const UNANSWERED: Mismatched = { mismatch: { reason: 'CUSTODIAN_UNAVAILABLE' } };

/**
 * Anybody can report a public hash (decisions.md 4, Reasons while not verified): a transfer to another client's address
 * is never disclosed. Nor is one to an address that is not known yet, because it may be another client's.
 */
async function disclosableTo(
  operation: OffRamp,
  transfers: readonly CustodianTransfer[],
  findAddressOwners: FindAddressOwners,
): Promise<readonly CustodianTransfer[]> {
  const isDisclosable = async (transfer: CustodianTransfer) => {
    if (isSentTo(operation, transfer)) return true;
    const owners = await findAddressOwners(transfer);
    return owners?.every(({ clientId }) => clientId === operation.clientId) ?? false;
  };
  const disclosable = await Promise.all(transfers.map(isDisclosable));
  return transfers.filter((_, position) => disclosable[position]);
}
