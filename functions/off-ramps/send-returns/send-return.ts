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
import { isOwed, operationPayingFor } from '#shared/off-ramps/model/contradictions.ts';
import { operationOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import {
  givingUpWithdrawn,
  MOST_FAILED_SENDINGS,
  nothingSent,
  type ReturnChange,
  sendingEnded,
  sendingMayStillArrive,
  sendingNotEnded,
} from '#shared/off-ramps/model/return-changes.ts';
import {
  nextReturnCheck,
  payoutHindrance,
  type ReturnTerms,
  returnOrderOf,
  sendingIdOf,
} from '#shared/off-ramps/model/returns.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { MovementTaken, type Returning, type Returns } from '#shared/off-ramps/transitions/return-deposit.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { findRunningSending, hasFailedForGood, isLaterSendingKnown, sendingFields } from './other-sendings.ts';
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

/** Takes the next step of a return that the service sends. @throws {CustodianUnavailable} @throws {WriteConflict} */
export async function sendReturn(deps: SendDependencies, seen: Returning): Promise<void> {
  if (seen.return.sendingAt !== undefined) return follow(deps, seen, sendUnlessHindered);
  const begun = await begin(deps, seen);
  if (begun !== undefined) await follow(deps, begun, sendNow);
}

/** Why a return does not begin: without a custodian that sends it, it could never end. */
const NOT_SENT_HERE = 'The settings do not have the service send returns on its network any more: decline-return.';

/** Marks the deposit as being sent, if nothing forbids the return; returns `undefined` if something does. */
async function begin(deps: SendDependencies, seen: Returning): Promise<Returning | undefined> {
  if (!isSentHere(deps, seen)) {
    log.warn('RETURN_HINDERED', { ...sendingFields(seen), why: NOT_SENT_HERE });
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
    log.warn('RETURN_HINDERED', { ...sendingFields(seen), why });
    await postpone(deps, seen, HOUR);
    return undefined;
  }
  const notEndedYet = await findRunningSending(deps, seen);
  try {
    return await deps.returns.beginSending(seen, { operation: operationPayingFor(operation, seen), notEndedYet });
  } catch (error) {
    if (!(error instanceof MovementTaken)) throw error;
    log.error('RETURN_OF_RECORDED_TWICE', sendingFields(seen));
    await drop(deps, seen, {});
    return undefined;
  }
}

function isSentHere({ terms }: SendDependencies, { network }: Returning): boolean {
  return terms.routes[network]?.isByHand === false;
}

/**
 * True if the return must wait: after a restore nothing is sent until the books have matched every movement out since
 * then. Exception: if the custodian knows a later id of this return, or the last id and not as failed, this service has
 * sent it already. Such a return goes on, and its sending is found at the custodian.
 */
async function isHeld(deps: SendDependencies, seen: Returning): Promise<boolean> {
  if (deps.terms.heldSince === undefined) return false;
  if (await isLaterSendingKnown(deps, seen)) return false;
  const { network, lastSending = 0 } = seen;
  if (lastSending === 0) return true;
  const last = await deps.findSending({ network, externalId: sendingIdOf(seen) });
  return last === undefined || last.state === 'FAILED';
}

async function hold(deps: SendDependencies, seen: Returning): Promise<void> {
  log.warn('RETURN_HELD', { ...sendingFields(seen), heldSince: deps.terms.heldSince });
  await postpone(deps, seen, 5 * MINUTE);
}

async function findOperation({ operations }: SendDependencies, seen: Returning): Promise<OffRamp | undefined> {
  const operationId = operationOf(seen);
  return operationId === undefined ? undefined : operations.find(operationId);
}

/** Ends the request, because the deposit is gone or has changed since its return was requested. */
async function drop(
  deps: SendDependencies,
  seen: Returning,
  { found }: Pick<Parameters<Returns['end']>[1], 'found'>,
): Promise<void> {
  await endRequest(deps, seen, found);
  log.warn('RETURN_DROPPED', { ...sendingFields(seen), state: found?.state });
}

async function endRequest(deps: SendDependencies, seen: Returning, found?: CustodianTransfer): Promise<void> {
  const { creditedAt, operationId } = seen;
  const operation =
    creditedAt === undefined || operationId === undefined ? undefined : await deps.operations.find(operationId);
  await deps.returns.end(seen, { operation, found, isOwed: operation !== undefined && isOwed(operation) });
}

/** Follows up a sending. Asks the custodian first, and sends only an order that the custodian does not know. */
async function follow(deps: SendDependencies, seen: Returning, sendUnknown: typeof sendNow): Promise<void> {
  const { network, return: frozen } = seen;
  const known = await deps.findSending({ network, externalId: sendingIdOf(seen) });
  // An order that was given up is never sent again: the custodian has had it.
  if (known === undefined && frozen.givenUpAt !== undefined) return askAgain(deps, seen);
  if (frozen.endedAt === undefined && known !== undefined) return conclude(deps, seen, known);
  if (frozen.endedAt === undefined)
    return deps.terms.restoredAt === undefined ? sendUnknown(deps, seen) : afterRestore(deps, seen, sendUnknown);
  // The custodian said that the sending has ended. A worker that was suspended is stopped by now, and cannot send it.
  if (known !== undefined && !hasFailedForGood(known)) return postpone(deps, seen, MINUTE, sendingNotEnded(frozen));
  await deps.returns.change(seen, nothingSent(frozen, deps.clock.now()));
  if ((frozen.failed ?? 0) >= MOST_FAILED_SENDINGS) log.error('RETURN_STOPPED', sendingFields(seen));
}

/**
 * Handles an id that the custodian does not know, after a restore. If the custodian knows a later id, it had refused
 * this one before the restore. The later sending may still wait for a signature, so the books, which match only
 * movements that have left, do not show it.
 */
async function afterRestore(deps: SendDependencies, seen: Returning, sendUnknown: typeof sendNow): Promise<void> {
  if (await isLaterSendingKnown(deps, seen)) {
    await deps.returns.change(seen, sendingEnded(seen.return, deps.clock.now()));
    return;
  }
  await (deps.terms.heldSince === undefined ? sendUnknown : hold)(deps, seen);
}

/**
 * Sends an order that the custodian has never had. It may have been begun hours ago, so everything that forbids a
 * return to begin also forbids to send it. If something does, the sending ends; once the custodian has been asked once
 * more, the return is as if it had never begun.
 */
async function sendUnlessHindered(deps: SendDependencies, seen: Returning): Promise<void> {
  const outcome = await recheckDeposit(deps, seen);
  if (outcome === 'LATER') return askAgain(deps, seen);
  const why =
    outcome === 'THERE' ? await hindranceOf(deps, seen) : 'The deposit is not there any more, or not as it was.';
  if (why === undefined) return sendNow(deps, seen);
  log.warn('RETURN_HINDERED', { ...sendingFields(seen), why });
  await deps.returns.change(seen, sendingEnded(seen.return, deps.clock.now()));
}

async function hindranceOf(deps: SendDependencies, seen: Returning): Promise<string | undefined> {
  if ((await findRunningSending(deps, seen)) !== undefined) return 'An earlier sending of it has not ended after all.';
  const operation = await findOperation(deps, seen);
  return operation && payoutHindrance(operation, seen, deps.clock.now());
}

async function sendNow(deps: SendDependencies, seen: Returning): Promise<void> {
  try {
    await deps.send(returnOrderOf(seen, seen.return));
  } catch (error) {
    if (!(error instanceof SendingRefused)) throw error;
    return end(deps, seen, error.message);
  }
  log.info('RETURN_SENT', sendingFields(seen));
  await postpone(deps, seen, MINUTE);
}

async function conclude(deps: SendDependencies, seen: Returning, known: Sending): Promise<void> {
  const { state, txHash, movementId } = known;
  if (state === 'COMPLETED' && txHash !== undefined && movementId !== undefined)
    return finish(deps, seen, { txHash, movementId });
  const isOver = hasFailedForGood(known);
  if (!isOver) noticeWait(deps, seen, state);
  if (state !== 'FAILED')
    return postpone(deps, seen, nextLook(seen.return, deps.clock.now()), givingUpWithdrawn(seen.return));
  if (seen.return.givenUpAt !== undefined) {
    await endRequest(deps, seen);
    log.info('RETURN_GIVEN_UP', { ...sendingFields(seen), txHash });
    return;
  }
  if (isOver) return end(deps, seen, 'The custodian says that it has failed.');
  if (seen.return.mayStillArrive) return postpone(deps, seen, 5 * MINUTE);
  await deps.returns.change(seen, sendingMayStillArrive(seen.return, deps.clock.now()));
  log.error('RETURN_MAY_STILL_ARRIVE', { ...sendingFields(seen), txHash });
}

async function finish(
  deps: SendDependencies,
  seen: Returning,
  movement: { readonly txHash: string; readonly movementId: string },
): Promise<void> {
  const now = deps.clock.now();
  try {
    await deps.returns.finish(seen, movement, nextReturnCheck(now, now, deps.networkRules[seen.network]));
    log.info('DEPOSIT_RETURNED', { ...sendingFields(seen), txHash: movement.txHash });
  } catch (error) {
    if (!(error instanceof MovementTaken)) throw error;
    log.error('RETURN_RECORDED_FOR_ANOTHER', { ...sendingFields(seen), txHash: movement.txHash });
    await postpone(deps, seen, HOUR);
  }
}

/** Records a failed sending. The custodian is asked once more before the return is sent under another id. */
async function end(deps: SendDependencies, seen: Returning, why: string): Promise<void> {
  await deps.returns.change(seen, sendingEnded(seen.return, deps.clock.now()));
  log.error('RETURN_NOT_SENT', { ...sendingFields(seen), why });
}

/** Plans the next step of the return. */
export async function postpone(
  { returns, clock }: Pick<SendDependencies, 'returns' | 'clock'>,
  seen: Returning,
  seconds: number,
  change: ReturnChange = {},
): Promise<void> {
  const returnDueAt = new Date(clock.now().getTime() + seconds * 1000).toISOString();
  await returns.change(seen, { ...change, returnDueAt });
}

/** Asks again in five minutes: the custodian does not say that the deposit is there, or what became of its sending. */
async function askAgain(deps: SendDependencies, seen: Returning): Promise<void> {
  noticeWait(deps, seen, 'UNKNOWN');
  await postpone(deps, seen, 5 * MINUTE);
}

/**
 * Seconds until the custodian is asked again: a minute in the first hour, then a sixtieth of the age, at most an hour.
 * A signature may take days.
 */
function nextLook(frozen: Returning['return'], now: Date): number {
  return Math.min(HOUR, Math.max(MINUTE, Math.floor(ageOf(frozen, now) / 60)));
}

/** Warns of a return that waits for a day: no check for overdue work shows it, because its polls are on time. */
function noticeWait({ clock }: SendDependencies, seen: Returning, state: Sending['state'] | 'UNKNOWN'): void {
  const { sendingAt } = seen.return;
  if (ageOf(seen.return, clock.now()) >= DAY) log.warn('RETURN_WAITS', { ...sendingFields(seen), sendingAt, state });
}

/** Seconds since the sending began or, before that, since the last approval. */
function ageOf({ sendingAt, approvals }: Returning['return'], now: Date): number {
  const since = sendingAt ?? approvals.at(-1)?.at;
  return since === undefined ? 0 : (now.getTime() - Date.parse(since)) / 1000;
}
