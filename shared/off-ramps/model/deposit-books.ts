import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import type { OutgoingTransfer } from '#shared/off-ramps/custodians/outgoing.ts';
import { addAmounts, compareAmounts } from '#shared/platform/amount.ts';
import type { Entry, FoundDifference } from '#shared/platform/books/book.ts';
import { type Deposit, type IgnoredReason, transferOf } from './deposit.ts';
import { accountInWords, isSentToReturnAddress } from './returns.ts';

/** The terms of money that came in: each final transfer is in exactly one (decisions.md 9, The equation). */
type InTerm =
  | 'credited'
  | 'owed'
  | 'unmatched'
  | 'kept'
  | 'returnRequested'
  | 'returned'
  | 'dust'
  | 'leftOut'
  /** It has arrived and the custodian holds it, before anything was decided. */
  | 'held'
  /** Sent from an account of the custodian itself: no deposit. */
  | 'own'
  | 'notOurs'
  /** A difference says why. */
  | 'unexplained';

/** Marks a second record of a deposit's movement, which is not booked: the money came in once. */
const RECORDED_TWICE = 'RECORDED_TWICE' satisfies IgnoredReason;

/** The terms of money that went out. Returns are net: their fees stay. */
type OutTerm = 'returns' | 'sweeps' | 'unknown';

const ignored: Readonly<Record<Exclude<IgnoredReason, typeof RECORDED_TWICE>, InTerm>> = {
  FROM_CUSTODIAN: 'own',
  NOT_OURS: 'notOurs',
  BELOW_MINIMUM: 'dust',
  TOO_MANY: 'leftOut',
};

/**
 * The term of a deposit by our records; `undefined` while nothing is decided, and if nothing arrived. A deposit that
 * its custodian holds has arrived.
 */
function termOf(deposit: Deposit, state = deposit.transfer?.state): InTerm | undefined {
  const { settled, return: returning, creditedAt, unmatched, owed, ignoredReason } = deposit;
  const undecided = state === 'HELD' && ignoredReason === undefined ? 'held' : undefined;
  if (settled?.outcome === 'KEPT') return 'kept';
  if (settled?.outcome === 'RETURNED') return 'returned';
  if (returning !== undefined) return returning.returnedAt === undefined ? 'returnRequested' : 'returned';
  if (creditedAt === undefined) return termOfUncredited(deposit) ?? undecided;
  if (unmatched === 'REVERSED') return undecided;
  return owed === undefined ? 'credited' : 'owed';
}

function termOfUncredited({ transfer, unmatched, firstUnmatchedAt, ignoredReason }: Deposit): InTerm | undefined {
  if (transfer?.state === 'FAILED' || transfer?.state === 'GONE') return undefined;
  if (unmatched !== undefined || firstUnmatchedAt !== undefined) return 'unmatched';
  return ignoredReason === undefined || ignoredReason === RECORDED_TWICE ? undefined : ignored[ignoredReason];
}

interface Booked {
  readonly entries: readonly Entry[];
  readonly differences: readonly FoundDifference[];
}

const NOTHING: Booked = { entries: [], differences: [] };

/** Books a transfer into our accounts that the custodian lists, and compares it with our deposit. */
export function bookIncoming(transfer: CustodianTransfer, found: Deposit | 'UNREADABLE' | undefined): Booked {
  const { custodianTransferId: id, state, amount } = transfer;
  const deposit = found === 'UNREADABLE' ? undefined : found;
  if (deposit?.ignoredReason === RECORDED_TWICE) return NOTHING;
  const term = deposit && termOf(deposit, state);
  const isHere = state === 'CONFIRMED' || state === 'HELD';
  const isTakenBack = state !== 'CONFIRMED' && state !== 'UNCONFIRMED' && (term === 'credited' || term === 'owed');
  const fault = isTakenBack ? notReversed(state) : isHere ? incomingFault(transfer, found, term) : undefined;
  const place = (fault === undefined && term) || 'unexplained';
  const { assetId: asset } = transfer;
  const terms = isHere ? ['in', place] : state === 'UNCONFIRMED' ? ['arriving'] : [];
  return {
    entries: terms.map((one) => ({ asset, term: one, amount })),
    differences: fault === undefined ? [] : [{ id, ...fault }],
  };
}

const UNREADABLE = { kind: 'DEPOSIT_UNREADABLE', what: 'Our record of the deposit cannot be read.' };

const notReversed = (state: string) => ({
  kind: 'DEPOSIT_NOT_REVERSED',
  what: `It is credited, and the custodian says ${state}.`,
});

function incomingFault(
  { assetId, amount, txHash }: CustodianTransfer,
  deposit: Deposit | 'UNREADABLE' | undefined,
  term: InTerm | undefined,
): Omit<FoundDifference, 'id'> | undefined {
  if (deposit === 'UNREADABLE') return UNREADABLE;
  if (deposit === undefined) {
    return { kind: 'DEPOSIT_MISSING', what: `${amount} ${assetId} of ${txHash} came in, and is no deposit.` };
  }
  if (term === undefined) {
    return { kind: 'DEPOSIT_NOT_DECIDED', what: 'It is final, and neither credited nor unmatched.' };
  }
  const { transfer, return: returning } = deposit;
  if (transfer !== undefined && !(transfer.assetId === assetId && compareAmounts(transfer.amount, amount) === 0)) {
    const what = `The custodian has ${amount} ${assetId}, and the deposit ${transfer.amount} ${transfer.assetId}.`;
    return { kind: 'DEPOSIT_DIFFERS', what };
  }
  const gross = returning && addAmounts(returning.amount, returning.fee);
  if (gross !== undefined && compareAmounts(gross, amount) !== 0) {
    return { kind: 'DEPOSIT_DIFFERS', what: `Its return is of ${gross} with its fee, and it is ${amount}.` };
  }
  return undefined;
}

/** Finds the difference of a deposit that counts in the books, but that the custodian does not list at its time. */
export function bookUnlisted(deposit: Deposit): readonly FoundDifference[] {
  const term = termOf(deposit);
  const { custodianTransferId: id, transfer } = deposit;
  // The custodian may list a transfer that is not a deposit as something else, or not at all.
  if (term === undefined || term === 'own' || term === 'notOurs') return [];
  if (transfer?.state === 'FAILED' || transfer?.state === 'GONE') return [];
  return [{ kind: 'DEPOSIT_NOT_LISTED', id, what: `It is ${term}, and the custodian lists no such transfer.` }];
}

/** Milliseconds from its order within which a return that has left may not be recorded yet. */
const RECORDED_WITHIN = 3600_000;

/** The kind of a transfer out of our accounts. */
export interface OutgoingKind {
  readonly term: OutTerm;
  /** For an unknown movement: UNREADABLE if it has the id of a return whose deposit cannot be read. */
  readonly deposit?: Deposit | 'UNREADABLE' | undefined;
  /** For an unknown movement: true if it is a return that is being sent, which its next poll records. */
  readonly isBeingSent?: boolean;
}

/** Books a transfer out of our accounts, and compares it with our records. */
export function bookOutgoing(movement: OutgoingTransfer, what: OutgoingKind, now: Date): Booked {
  const { term } = what;
  const { state, fee, amount, assetId: asset } = movement;
  const isFinal = state === 'CONFIRMED';
  const hasFailed = state === 'FAILED' || state === 'GONE';
  // The network keeps the fee of a failed transfer.
  const feeTerm = isFinal || hasFailed ? 'fees' : 'leaving';
  const fees = fee === undefined ? [] : [{ asset: fee.assetId, term: feeTerm, amount: fee.amount }];
  if (hasFailed) return { entries: fees, differences: [] };
  const fault = outgoingFault(movement, what, now);
  const moved = (isFinal ? ['out', term] : ['leaving']).map((one) => ({ asset, term: one, amount }));
  return {
    entries: [...moved, ...fees],
    differences: fault === undefined ? [] : [{ id: movement.movementId, ...fault }],
  };
}

function outgoingFault(
  movement: OutgoingTransfer,
  { term, deposit, isBeingSent = false }: OutgoingKind,
  now: Date,
): Omit<FoundDifference, 'id'> | undefined {
  const { amount, assetId, txHash, externalId, state, createdAt } = movement;
  if (term === 'unknown') {
    // A contract was called without moving money.
    if (compareAmounts(amount, '0') === 0) return undefined;
    // It may wait for a signature for days, and no money leaves before that.
    const mayBeRecorded = state !== 'CONFIRMED' || now.getTime() < Date.parse(createdAt) + RECORDED_WITHIN;
    const isOnItsWay = externalId !== undefined && (mayBeRecorded || isBeingSent);
    if (isOnItsWay)
      return { kind: 'RETURN_NOT_RECORDED', what: `${externalId} is sent, and no deposit is returned by it so far.` };
    if (deposit === 'UNREADABLE') return UNREADABLE;
    return {
      kind: 'MONEY_WENT_OUT',
      what: `${amount} ${assetId} went out by ${txHash || 'no transaction yet'}: no return and no sweep.`,
    };
  }
  if (term !== 'returns') return undefined;
  return deposit === 'UNREADABLE' ? UNREADABLE : returnFault(movement, deposit?.return);
}

function returnFault(movement: OutgoingTransfer, sent: Deposit['return']): Omit<FoundDifference, 'id'> | undefined {
  const { amount, assetId, toAddress: address, toTag: tag } = movement;
  const isWhole = sent?.assetId === assetId && compareAmounts(sent.amount, amount) === 0;
  // Its address is unknown until it has a hash.
  if (isWhole && (address === '' || isSentToReturnAddress(sent, movement))) return undefined;
  const expected = sent === undefined ? 'nothing' : `${sent.amount} ${sent.assetId} to ${accountInWords(sent)}`;
  const went = `${amount} ${assetId} went out to ${accountInWords({ address, tag })}`;
  return { kind: 'RETURN_DIFFERS', what: `${went}, and the deposit returns ${expected}.` };
}

/** Milliseconds (a day) within which the custodian lists a transfer that it sent. */
const LISTED_WITHIN = 24 * 3600_000;

/** Finds the difference of a deposit that our records have as returned, but whose custodian lists no movement out. */
export function bookUnseenReturn(
  { custodianTransferId: id, return: returning }: Deposit,
  isSeen: boolean,
  now: Date,
): readonly FoundDifference[] {
  const { returnedAt } = returning ?? {};
  if (returnedAt === undefined || isSeen || now.getTime() < Date.parse(returnedAt) + LISTED_WITHIN) return [];
  return [{ kind: 'RETURN_NOT_LISTED', id, what: 'It is returned, and the custodian lists nothing that was sent.' }];
}

/** A deposit as the export of the books has it, with its term by our records alone. */
export function bookedDeposit(deposit: Deposit) {
  const transfer = transferOf(deposit);
  if (transfer === undefined) return undefined;
  const { custodianTransferId: id, network, txHash, assetId, amount, createdAt } = transfer;
  return { createdAt, direction: 'in' as const, id, network, txHash, assetId, amount, term: termOf(deposit) };
}
