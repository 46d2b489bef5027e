import { Big } from 'big.js';
import type { Item } from '#test/simulation/aws/dynamodb/attribute-values.ts';
import { isOwed, phaseAt } from '../fits.ts';
import { has, instant, text } from '../items.ts';
import type { Ledger } from '../ledger.ts';
import type { TrueSending, TrueTransfer } from '../truth.ts';

/** The place of a movement in the book of its day, and the difference that the book must name. */
export interface Booking {
  readonly id: string;
  readonly asset: string;
  readonly amount: string;
  /** Absent if the movement is not final, or has failed. */
  readonly place?: string | undefined;
  readonly difference?: string | undefined;
}

const ignored: Readonly<Record<string, string>> = {
  FROM_CUSTODIAN: 'own',
  NOT_OURS: 'notOurs',
  BELOW_MINIMUM: 'dust',
  TOO_MANY: 'leftOut',
};

/** A deposit's place as written (decisions.md 9, The equation), not as its custodian reports; `undefined` if open. */
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

/** Returns the booking of an incoming transfer, as the custodian had it at that time. */
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

/** Returns the booking of a deposit that the custodian has no transfer for. */
export function unlistedOf(id: string, deposit: Item, ledger: Ledger): Booking {
  const stands = placeOf(deposit, operationOf(ledger, deposit));
  const isNothing = stands === undefined || stands === 'own' || stands === 'notOurs';
  return { id, asset: '', amount: '0', difference: isNothing ? undefined : 'DEPOSIT_NOT_LISTED' };
}

/** Milliseconds within which the service records what it has sent. */
const RECORDED_WITHIN = 3600_000;

/** Returns the booking of a sending at that time. @param isSweep true if it went to another account of the owner */
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

/** True if a deposit is recorded as returned, and the custodian never sent anything by that transaction. */
export function isUnseenReturn(deposit: Item, sendings: readonly TrueSending[], time: number): boolean {
  const left = deposit['return']?.M;
  const isOld = instant(left, 'returnedAt') + 24 * 3600_000 <= time;
  return isOld && !sendings.some(({ phases }) => phases.some(({ txHash }) => txHash === text(left, 'txHash')));
}
