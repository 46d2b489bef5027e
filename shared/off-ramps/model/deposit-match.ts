import { isSameAddress, parseAddress } from '#shared/networks/network.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { canonicalAmount } from '#shared/platform/amount.ts';
import { type DepositReason, depositReasons } from './deposit.ts';
import type { ExpectedDeposit, OffRamp } from './off-ramp.ts';
import type { Mismatch } from './verification.ts';

/**
 * Judges the transfers of one transaction against the deposit that an operation awaits (interface 4.3 rule 1): final by
 * the custodian's word, sent to the deposit address (and tag), of the right token, for the exact amount, from the
 * declared wallet. If none matches, the best match gives the reason; a transfer that is gone gives none. The caller
 * must first remove transfers that the client may not see.
 */
export function judgeDeposit(
  expected: ExpectedDeposit,
  transfers: readonly CustodianTransfer[],
): { readonly match: CustodianTransfer } | Mismatch {
  const match = transfers.find((transfer) => isFinal(transfer) && missedFact(expected, transfer) === undefined);
  if (match !== undefined) return { match };
  const there = transfers.filter(({ state }) => state !== 'GONE');
  const [nearest] = nearestFirst(expected, there);
  return nearest === undefined ? { reason: 'NOT_FOUND' } : mismatch(expected, nearest);
}

/** Sorts the transfers of one transaction, best match first: the later its first mismatch, the better. */
export function nearestFirst(
  expected: ExpectedDeposit,
  transfers: readonly CustodianTransfer[],
): readonly CustodianTransfer[] {
  return transfers.toSorted((one, other) => nearness(expected, other) - nearness(expected, one));
}

/** True if the operation awaits the transfer, final or not. */
export function isAwaitedBy(expected: ExpectedDeposit, transfer: CustodianTransfer): boolean {
  return missedFact(expected, transfer) === undefined;
}

/** True if the custodian says the transfer is final (decisions.md 12, Finality). Confirmations are not counted. */
export function isFinal({ state }: CustodianTransfer): boolean {
  return state === 'CONFIRMED';
}

/** True if there is nothing to credit or to return, unless the custodian says otherwise later. */
export function hasEnded({ state }: CustodianTransfer): boolean {
  return state === 'FAILED' || state === 'GONE';
}

/** The checks in a client's order; the first mismatch is the reason. */
const factsInOrder = ['WRONG_ADDRESS', 'WRONG_TOKEN', 'WRONG_AMOUNT', 'WRONG_SENDER'] as const;

type Fact = (typeof factsInOrder)[number];

function missedFact(expected: ExpectedDeposit, transfer: CustodianTransfer): Fact | undefined {
  return mismatchedFacts(expected, transfer)[0];
}

/** All facts in which the transfer differs from the deposit that the operation awaits. */
export function mismatchedFacts(expected: ExpectedDeposit, transfer: CustodianTransfer): readonly Fact[] {
  const holds: Record<Fact, () => boolean> = {
    WRONG_ADDRESS: () => isSentTo(expected, transfer),
    WRONG_TOKEN: () => transfer.network === expected.network && transfer.assetId === expected.custodianAssetId,
    WRONG_AMOUNT: () => canonicalAmount(transfer.amount) === canonicalAmount(expected.amount),
    // An account of the custodian itself is never a user's wallet, whatever was declared.
    WRONG_SENDER: () =>
      transfer.isFromCustodian !== true &&
      isSameAddress(expected.network, transfer.fromAddress, expected.senderAddress),
  };
  return factsInOrder.filter((fact) => !holds[fact]());
}

/** The first of the reasons that is a mismatch of facts, in the order that clients see. */
export function firstMismatch(reasons: readonly string[]): Fact | undefined {
  return factsInOrder.find((fact) => reasons.includes(fact));
}

/** True if the transfer goes to the operation's own address, with its tag if it needs one. */
export function isSentTo(expected: ExpectedDeposit, transfer: CustodianTransfer): boolean {
  const to = parseAddress(expected.network, transfer.toAddress);
  const awaited = parseAddress(expected.network, expected.address);
  if (to === undefined || to.address !== awaited?.address) return false;
  const awaitedTag = expected.addressTag ?? awaited.tag;
  return awaitedTag === undefined || (transfer.toTag || to.tag) === awaitedTag;
}

/** The address is judged first: other facts are given only for a transfer to the operation's own address. */
function mismatch(expected: ExpectedDeposit, transfer: CustodianTransfer): Mismatch {
  if (!isSentTo(expected, transfer)) return { reason: 'WRONG_ADDRESS' };
  if (transfer.state === 'FAILED') return { reason: 'FAILED_ON_CHAIN' };
  if (transfer.state === 'HELD') return { reason: 'HELD_BY_CUSTODIAN' };
  const missed = missedFact(expected, transfer);
  if (missed !== undefined && hasKnownAddresses(transfer)) return { reason: missed };
  const { confirmations, requiredConfirmations } = transfer;
  return { reason: 'UNCONFIRMED', confirmations, requiredConfirmations };
}

/** True if the addresses are known: they are empty until the transaction is in a block. */
export function hasKnownAddresses(transfer: CustodianTransfer): boolean {
  return transfer.state !== 'UNCONFIRMED' || (transfer.toAddress !== '' && transfer.fromAddress !== '');
}

function nearness(expected: ExpectedDeposit, transfer: CustodianTransfer): number {
  const missed = missedFact(expected, transfer);
  return missed === undefined ? factsInOrder.length : factsInOrder.indexOf(missed);
}

/**
 * All reasons why a final transfer to an operation's address does not fund it (decisions.md 9, Reasons of UNMATCHED).
 * `funded` is the operation that the transaction funds; another client's operation is never disclosed.
 */
export function unmatchedReasons(
  operation: OffRamp,
  transfer: CustodianTransfer,
  funded: OffRamp | undefined,
): readonly DepositReason[] {
  const missed = new Set<string>(mismatchedFacts(operation, transfer));
  const { status, verifiedTxHash, operationId, clientId } = operation;
  const holds: Readonly<Record<DepositReason, boolean>> = {
    WRONG_TOKEN: missed.has('WRONG_TOKEN'),
    WRONG_AMOUNT: missed.has('WRONG_AMOUNT'),
    WRONG_SENDER: missed.has('WRONG_SENDER'),
    ALREADY_FUNDED: verifiedTxHash !== undefined,
    OPERATION_ENDED: status === 'CANCELLED' || status === 'FAILED',
    FUNDS_ANOTHER_OPERATION: funded !== undefined && funded.operationId !== operationId && funded.clientId === clientId,
  };
  return depositReasons.filter((reason) => holds[reason]);
}
