import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { isOwed, phaseAt } from '../fits.ts';
import { has, instant, text } from '../items.ts';
import type { Ledger } from '../ledger.ts';
import type { TrueSending, TrueTransfer } from '../truth.ts';

/** Where a movement has to stand in the book of its day, and the difference that it has to be. */
export interface Booking {
  readonly id: string;
  readonly asset: string;
  readonly amount: string;
  /** Absent of what is not final, or has come to nothing. */
  readonly place?: string | undefined;
  readonly difference?: string | undefined;
}

const ignored: Readonly<Record<string, string>> = {
  FROM_CUSTODIAN: 'own',
  NOT_OURS: 'notOurs',
  BELOW_MINIMUM: 'dust',
  TOO_MANY: 'leftOut',
};

/** By what is written of a deposit (decisions.md 9, The equation), whatever its custodian says; `undefined` of what is not decided. */
function placeOf(deposit: Item, operation: Item | undefined): string | undefined {
  const outcome = text(deposit['settled']?.M, 'outcome');
  if (outcome === 'KEPT' || outcome === 'RETURNED') return outcome.toLowerCase();
  if (has(deposit, 'return')) return has(deposit['return']?.M, 'returnedAt') ? 'returned' : 'returnRequested';
  if (has(deposit, 'creditedAt'))
    return text(deposit, 'unmatched') === 'REVERSED' ? undefined : isOwed(operation) ? 'owed' : 'credited';
  if (['FAILED', 'GONE'].includes(text(deposit['transfer']?.M, 'state'))) return undefined;
  if (has(deposit, 'firstUnmatchedAt') || has(deposit, 'unmatched')) return 'unmatched';
  return ignored[text(deposit, 'ignoredReason')];
}

const operationOf = ({ operations }: Ledger, deposit: Item) => operations.get(text(deposit, 'operationId'));

/** What came in, as the custodian had it at that time. */
export function bookingOf(transfer: TrueTransfer, ledger: Ledger, time: number): Booking {
  const { custodianTransferId: id, assetId: asset, amount } = transfer.facts;
  const state = phaseAt(transfer, time)?.state;
  const isHere = state === 'CONFIRMED' || state === 'HELD';
  const deposit = ledger.deposits.get(id);
  if (deposit === undefined)
    return { id, asset, amount, ...(isHere && { place: 'unexplained', difference: 'DEPOSIT_MISSING' }) };
  const isUndecided = state === 'HELD' && !has(deposit, 'ignoredReason');
  const stands = placeOf(deposit, operationOf(ledger, deposit)) ?? (isUndecided ? 'held' : undefined);
  const difference = faultOf(deposit, { stands, state, amount, isHere });
  const place = difference === undefined ? stands : 'unexplained';
  return { id, asset, amount, place: isHere ? place : undefined, difference };
}

function faultOf(
  deposit: Item,
  {
    stands,
    state = '',
    amount,
    isHere,
  }: Pick<Booking, 'amount'> & Readonly<{ stands?: string | undefined; state?: string | undefined; isHere: boolean }>,
): string | undefined {
  const isCredited = stands === 'credited' || stands === 'owed';
  if (isCredited && (state === 'HELD' || state === 'FAILED')) return 'DEPOSIT_NOT_REVERSED';
  if (!isHere) return undefined;
  if (stands === undefined) return 'DEPOSIT_NOT_DECIDED';
  const left = deposit['return']?.M;
  const gross = left && new Big(text(left, 'amount')).plus(text(left, 'fee')).toFixed();
  const isSame = [text(deposit['transfer']?.M, 'amount') || amount, gross ?? amount].every((one) =>
    new Big(one).eq(amount),
  );
  return isSame ? undefined : 'DEPOSIT_DIFFERS';
}

/** A deposit of which the custodian has no transfer. */
export function unlistedOf(id: string, deposit: Item, ledger: Ledger): Booking {
  const stands = placeOf(deposit, operationOf(ledger, deposit));
  const isNothing = stands === undefined || stands === 'own' || stands === 'notOurs';
  return { id, asset: '', amount: '0', difference: isNothing ? undefined : 'DEPOSIT_NOT_LISTED' };
}

/** Milliseconds within which what the service has sent is recorded. */
const RECORDED_WITHIN = 3600_000;

/** What went out, as the custodian had it at that time. @param isSweep it went to another account of the owner */
export function bookingOut(sent: TrueSending, ledger: Ledger, time: number, isSweep: boolean): Booking {
  const { order, movementId, externalId, takenAt } = sent;
  const { state, txHash = '' } = sent.phases.findLast(({ at }) => at <= time) ?? { state: 'PENDING' };
  const { assetId: asset, amount } = order;
  const id = `custodian:${movementId}`;
  if (state === 'FAILED') return { id, asset, amount };
  const claim = ledger.claims.get(`RETURN#${txHash}#${id}`);
  const returning = ledger.deposits.get(text(claim, 'custodianTransferId'))?.['return']?.M;
  const isOther = returning !== undefined && text(returning, 'txHash') !== txHash;
  const term = claim === undefined || isOther ? (isSweep ? 'sweeps' : 'unknown') : 'returns';
  const isOnItsWay = externalId !== undefined && (state !== 'COMPLETED' || time < takenAt + RECORDED_WITHIN);
  const differs = text(returning, 'amount') !== amount || text(returning, 'assetId') !== asset;
  const faults: Readonly<Record<typeof term, string | undefined>> = {
    sweeps: undefined,
    unknown: isOnItsWay ? 'RETURN_NOT_RECORDED' : 'MONEY_WENT_OUT',
    returns: differs ? 'RETURN_DIFFERS' : undefined,
  };
  return { id, asset, amount, place: state === 'COMPLETED' ? term : undefined, difference: faults[term] };
}

/** A deposit that is returned by what is written, and nothing that its custodian ever sent by that transaction. */
export function isUnseenReturn(deposit: Item, sendings: readonly TrueSending[], time: number): boolean {
  const left = deposit['return']?.M;
  const isOld = instant(left, 'returnedAt') + 24 * 3600_000 <= time;
  return isOld && !sendings.some(({ phases }) => phases.some(({ txHash }) => txHash === text(left, 'txHash')));
}
