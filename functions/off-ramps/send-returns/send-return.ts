import type { Network, NetworkRules } from '#shared/networks/network.ts';
import {
  type CustodianTransfer,
  type FindOutgoing,
  type FindSending,
  type Send,
  SendingRefused,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import type { Sending } from '#shared/off-ramps/custodians/outgoing.ts';
import { isOwed, paidFor } from '#shared/off-ramps/model/contradictions.ts';
import { operationOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import {
  MOST_FAILED,
  mayStillArrive,
  notEnded,
  notSent,
  type ReturnChange,
  sendingEnded,
  takenUp,
} from '#shared/off-ramps/model/return-changes.ts';
import { nextWatch, orderOf, payoutHindrance, type ReturnTerms, sendingIdOf } from '#shared/off-ramps/model/returns.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { MovementTaken, type Returning, type Returns } from '#shared/off-ramps/transitions/return-deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { recheckDeposit } from './recheck-deposit.ts';

export interface SendDependencies {
  readonly operations: Pick<OffRamps, 'find'>;
  readonly returns: Returns;
  readonly findTransfer: AskForTransfer;
  readonly send: Send;
  readonly findSending: FindSending;
  readonly findOutgoing: FindOutgoing;
  readonly terms: ReturnTerms;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
  readonly clock: Clock;
}

/** Seconds. */
const MINUTE = 60;
const HOUR = 3600;
const DAY = 24 * HOUR;

/** The next step of a return that the service sends. @throws {CustodianUnavailable} @throws {WriteConflict} */
export async function sendReturn(deps: SendDependencies, seen: Returning): Promise<void> {
  if (seen.return.sendingAt !== undefined) return follow(deps, seen, sendUnlessHindered);
  const begun = await begin(deps, seen);
  if (begun !== undefined) await follow(deps, begun, sendNow);
}

/** A return that is begun without a custodian that sends it could never end. */
const NOT_SENT_HERE = 'The settings do not have the service send returns on its network any more: decline-return.';

/** Writes that it is being sent, if nothing forbids that; `undefined` if something does. */
async function begin(deps: SendDependencies, seen: Returning): Promise<Returning | undefined> {
  if (!isSentHere(deps, seen)) {
    log.warn('RETURN_HINDERED', { ...logFields(seen), why: NOT_SENT_HERE });
    await postpone(deps, seen, HOUR);
    return undefined;
  }
  if (await isHeld(deps, seen)) {
    await hold(deps, seen);
    return undefined;
  }
  const outcome = await recheckDeposit(deps, seen);
  if (outcome !== 'THERE') {
    if (outcome === 'LATER') await askAgain(deps, seen);
    else await drop(deps, seen, outcome);
    return undefined;
  }
  const operation = await findOperation(deps, seen);
  const why = operation && payoutHindrance(operation, seen, deps.clock.now());
  if (why !== undefined) {
    log.warn('RETURN_HINDERED', { ...logFields(seen), why });
    await postpone(deps, seen, HOUR);
    return undefined;
  }
  const isLastOne = await hasLastOneNotEnded(deps, seen);
  try {
    return await deps.returns.beginSending(seen, { operation: paidFor(operation, seen), isLastOne });
  } catch (error) {
    if (!(error instanceof MovementTaken)) throw error;
    log.error('RETURN_OF_RECORDED_TWICE', logFields(seen));
    await drop(deps, seen, {});
    return undefined;
  }
}

function isSentHere({ terms }: SendDependencies, { network }: Returning): boolean {
  return terms.routes[network]?.isByHand === false;
}

/**
 * After a restore nothing is sent until the books have matched what had left since then. What the custodian knows under
 * a later id, or has not ended under the last one, was sent by this service: that goes on, and is found to have left.
 */
async function isHeld(deps: SendDependencies, seen: Returning): Promise<boolean> {
  if (deps.terms.heldSince === undefined) return false;
  if (await isKnownLater(deps, seen)) return false;
  const { network, lastSending = 0 } = seen;
  if (lastSending === 0) return true;
  const last = await deps.findSending({ network, externalId: sendingIdOf(seen) });
  return last === undefined || last.state === 'FAILED';
}

/** An order that the custodian refused has left no trace there: those after it may have been taken. */
async function isKnownLater({ findSending }: SendDependencies, seen: Returning): Promise<boolean> {
  const { network, lastSending = 0 } = seen;
  for (let n = lastSending + 1; n <= lastSending + MOST_FAILED; n += 1) {
    if ((await findSending({ network, externalId: sendingIdOf({ ...seen, lastSending: n }) })) !== undefined)
      return true;
  }
  return false;
}

async function hold(deps: SendDependencies, seen: Returning): Promise<void> {
  log.warn('RETURN_HELD', { ...logFields(seen), heldSince: deps.terms.heldSince });
  await postpone(deps, seen, 5 * MINUTE);
}

async function findOperation({ operations }: SendDependencies, seen: Returning): Promise<OffRamp | undefined> {
  const operationId = operationOf(seen);
  return operationId === undefined ? undefined : operations.find(operationId);
}

/**
 * Whether the last id is known after all, and has not ended without success: a worker that had stood still may have sent
 * it after its end was written. Then nothing is sent under another id.
 */
async function hasLastOneNotEnded(deps: SendDependencies, seen: Returning): Promise<boolean> {
  if (seen.lastSending === undefined) return false;
  const last = await deps.findSending({ network: seen.network, externalId: sendingIdOf(seen) });
  if (last === undefined || last.state === 'FAILED') return false;
  log.error('RETURN_SENT_BEFORE', { ...logFields(seen), state: last.state });
  return true;
}

/** Ends the request: the deposit is not there, or not as it was when its return was requested. */
async function drop(
  deps: SendDependencies,
  seen: Returning,
  { found }: Pick<Parameters<Returns['end']>[1], 'found'>,
): Promise<void> {
  await endRequest(deps, seen, found);
  log.warn('RETURN_DROPPED', { ...logFields(seen), state: found?.state });
}

async function endRequest(deps: SendDependencies, seen: Returning, found?: CustodianTransfer): Promise<void> {
  const { creditedAt, operationId } = seen;
  const operation =
    creditedAt === undefined || operationId === undefined ? undefined : await deps.operations.find(operationId);
  await deps.returns.end(seen, { operation, found, isOwed: operation !== undefined && isOwed(operation) });
}

/** Follows up a sending. The custodian is asked first; only an order that it does not know is sent. */
async function follow(deps: SendDependencies, seen: Returning, sendUnknown: typeof sendNow): Promise<void> {
  const { network, return: frozen } = seen;
  const known = await deps.findSending({ network, externalId: sendingIdOf(seen) });
  const hasEnded = known === undefined || (known.state === 'FAILED' && !known.mayStillArrive);
  // What was given up is never sent again: the custodian has had it.
  if (known === undefined && frozen.givenUpAt !== undefined) return askAgain(deps, seen);
  if (frozen.endedAt === undefined && known !== undefined) return conclude(deps, seen, known);
  if (frozen.endedAt === undefined)
    return deps.terms.restoredAt === undefined ? sendUnknown(deps, seen) : afterRestore(deps, seen, sendUnknown);
  // The custodian said that it has ended. A worker that stood still meanwhile is stopped by now, and cannot send it.
  if (!hasEnded) return postpone(deps, seen, MINUTE, notEnded(frozen));
  await deps.returns.change(seen, notSent(frozen, deps.clock.now()));
  if ((frozen.failed ?? 0) >= MOST_FAILED) log.error('RETURN_STOPPED', logFields(seen));
}

/**
 * The custodian does not know this id. If it knows a later one, it had refused this one before the restore. The later one
 * may wait for a signature, so the books, which match what has left, do not know it.
 */
async function afterRestore(deps: SendDependencies, seen: Returning, sendUnknown: typeof sendNow): Promise<void> {
  if (await isKnownLater(deps, seen)) {
    await deps.returns.change(seen, sendingEnded(seen.return, deps.clock.now()));
    return;
  }
  await (deps.terms.heldSince === undefined ? sendUnknown : hold)(deps, seen);
}

/**
 * The custodian has never had this order, which may have been begun hours ago: whatever forbids to begin a return forbids
 * to send it. It is then checked once more, and is as if it had never been begun.
 */
async function sendUnlessHindered(deps: SendDependencies, seen: Returning): Promise<void> {
  const outcome = await recheckDeposit(deps, seen);
  if (outcome === 'LATER') return askAgain(deps, seen);
  const operation = await findOperation(deps, seen);
  const hinders = operation && payoutHindrance(operation, seen, deps.clock.now());
  const why = outcome === 'THERE' ? hinders : 'The deposit is not there any more, or not as it was.';
  if (why === undefined) return sendNow(deps, seen);
  log.warn('RETURN_HINDERED', { ...logFields(seen), why });
  await deps.returns.change(seen, sendingEnded(seen.return, deps.clock.now()));
}

async function sendNow(deps: SendDependencies, seen: Returning): Promise<void> {
  try {
    await deps.send(orderOf(seen, seen.return));
  } catch (error) {
    if (!(error instanceof SendingRefused)) throw error;
    return end(deps, seen, error.message);
  }
  log.info('RETURN_SENT', logFields(seen));
  await postpone(deps, seen, MINUTE);
}

async function conclude(deps: SendDependencies, seen: Returning, known: Sending): Promise<void> {
  const { state, txHash, movementId } = known;
  if (state === 'COMPLETED' && txHash !== undefined && movementId !== undefined)
    return finish(deps, seen, { txHash, movementId });
  const isOver = state === 'FAILED' && !known.mayStillArrive;
  if (!isOver) noticeWait(deps, seen, state);
  if (state !== 'FAILED') return postpone(deps, seen, nextLook(seen.return, deps.clock.now()), takenUp(seen.return));
  if (isOver) return end(deps, seen, 'The custodian says that it has failed.');
  if (seen.return.givenUpAt !== undefined) {
    await endRequest(deps, seen);
    log.info('RETURN_GIVEN_UP', { ...logFields(seen), txHash });
    return;
  }
  if (seen.return.mayStillArrive) return postpone(deps, seen, 5 * MINUTE);
  await deps.returns.change(seen, mayStillArrive(seen.return, deps.clock.now()));
  log.error('RETURN_MAY_STILL_ARRIVE', { ...logFields(seen), txHash });
}

async function finish(
  deps: SendDependencies,
  seen: Returning,
  movement: { readonly txHash: string; readonly movementId: string },
): Promise<void> {
  const now = deps.clock.now();
  try {
    await deps.returns.finish(seen, movement, nextWatch(now, now, deps.networkRules[seen.network]));
    log.info('DEPOSIT_RETURNED', { ...logFields(seen), txHash: movement.txHash });
  } catch (error) {
    if (!(error instanceof MovementTaken)) throw error;
    log.error('RETURN_RECORDED_FOR_ANOTHER', { ...logFields(seen), txHash: movement.txHash });
    await postpone(deps, seen, HOUR);
  }
}

/** It has failed, as far as is known: that is checked once more before it is sent under another id. */
async function end(deps: SendDependencies, seen: Returning, why: string): Promise<void> {
  await deps.returns.change(seen, sendingEnded(seen.return, deps.clock.now()));
  log.error('RETURN_NOT_SENT', { ...logFields(seen), why });
}

/** It is looked at again later. */
export async function postpone(
  { returns, clock }: Pick<SendDependencies, 'returns' | 'clock'>,
  seen: Returning,
  seconds: number,
  change: ReturnChange = {},
): Promise<void> {
  const returnDueAt = new Date(clock.now().getTime() + seconds * 1000).toISOString();
  await returns.change(seen, { ...change, returnDueAt });
}

/** The custodian does not say that the deposit is there, or what has become of its sending. */
async function askAgain(deps: SendDependencies, seen: Returning): Promise<void> {
  noticeWait(deps, seen, 'UNKNOWN');
  await postpone(deps, seen, 5 * MINUTE);
}

/** Seconds until it is asked for again: a minute in its first hour, then a sixtieth of its age. A signature may wait for days. */
function nextLook(frozen: Returning['return'], now: Date): number {
  return Math.min(HOUR, Math.max(MINUTE, Math.floor(ageOf(frozen, now) / 60)));
}

/** It is looked at again and again, so its look is never overdue, however long it waits. */
function noticeWait({ clock }: SendDependencies, seen: Returning, state: Sending['state'] | 'UNKNOWN'): void {
  const { sendingAt } = seen.return;
  if (ageOf(seen.return, clock.now()) >= DAY) log.warn('RETURN_WAITS', { ...logFields(seen), sendingAt, state });
}

/** Seconds for which it has been sent, or, before that, has had its approvals. */
function ageOf({ sendingAt, approvals }: Returning['return'], now: Date): number {
  const since = sendingAt ?? approvals.at(-1)?.at;
  return since === undefined ? 0 : (now.getTime() - Date.parse(since)) / 1000;
}

export function logFields(seen: Returning) {
  const { custodianTransferId, operationId } = seen;
  return { custodianTransferId, operationId, sending: sendingIdOf(seen) };
}
