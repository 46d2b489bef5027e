import { type AskForTransfers, type CustodianTransfer, isReadable } from '#shared/off-ramps/custodians/custodian.ts';
import type { AskForTransfer } from '#shared/off-ramps/custodians/find-transfers.ts';
import { transferAttributes } from '#shared/off-ramps/model/deposit.ts';
import {
  transferFailed,
  transferNeverFinal,
  transferNotFound,
  transferUnmatched,
} from '#shared/off-ramps/model/deposit-changes.ts';
import { hasEnded, isAwaitedBy, isFinal, unmatchedReasons } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Movements } from '#shared/off-ramps/store/claims.ts';
import type { DepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/store/deposit-repository.ts';
import type { CreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { logOwed } from '#shared/off-ramps/transitions/end-operation.ts';
import { addFields, log } from '#shared/platform/logger.ts';
import { askForDeposit, type ReadableAnswer } from './ask-custodian.ts';
import { checkCredited, nextPollAfterCredit } from './check-credited.ts';
import { concludePoll, type PolledDeposit, recordTransfer } from './conclude-poll.ts';
import { findOwner, isKnownAsset, needsAPerson, type Owner, ownerOfDuplicate } from './find-owner.ts';
import { recordReturning } from './record-returning.ts';
import { rememberOthers } from './remember-found.ts';
import {
  nextPoll,
  nextPollOfFailedTransfer,
  type PollDependencies,
  pollAgain,
  pollUnreadable,
} from './wait-until-final.ts';
import { isFoundLate, unnotifiedPollAt } from './without-notification.ts';

interface Dependencies extends PollDependencies {
  readonly deposits: Pick<Deposits, 'find' | 'newsSince' | 'rememberFound'>;
  readonly findTransfers: AskForTransfers;
  readonly findTransfer: AskForTransfer;
  /** Returns the id of the operation that a transaction funds. */
  readonly fundedBy: (txHash: string) => Promise<string | undefined>;
  readonly creditDeposit: CreditDeposit;
  readonly movements: Movements;
}

/**
 * Makes one poll of a notified transfer. Once final, the transfer is credited to the operation of its address, if that
 * awaits it; otherwise it is kept as unmatched for finance operations. A poll that was already made or replaced changes
 * nothing.
 */
export function matchDeposit(deps: Dependencies) {
  return async ({ custodianTransferId, nextPollAt }: DepositPoll): Promise<void> => {
    const found = await deps.deposits.find(custodianTransferId);
    if (found === undefined) throw new Error(`There is no deposit ${custodianTransferId}.`);
    addFields({ operationId: found.operationId });
    if (found.nextPollAt !== nextPollAt) return;
    const { answer, others, notBefore } = await askForDeposit(deps, found);
    const deposit: PolledDeposit = { ...found, nextPollAt, notBefore };
    await rememberOthers(deps, deposit, others);
    if (typeof answer !== 'string' && !isReadable(answer)) return pollUnreadable(deps, deposit, answer);
    if (deposit.return !== undefined) return recordReturning(deps, deposit, answer);
    if (deposit.creditedAt === undefined) return matchUncredited(deps, deposit, answer);
    if (deps.restoredAt !== undefined) await completeCredit(deps, deposit, answer);
    return checkCredited(deps, deposit, answer);
  };
}

/** Credits a transfer that can still be credited, once it is final. */
async function matchUncredited(deps: Dependencies, deposit: PolledDeposit, answer: ReadableAnswer): Promise<void> {
  if (typeof answer === 'string') return pollAgain(deps, deposit, answer, {});
  const owner = await findOwner(deps, deposit, answer);
  if (isNoDeposit(owner) && isDecided(deps, deposit, answer)) {
    const mayBeOurs = owner.ignoredReason === 'NOT_OURS' && deps.restoredAt !== undefined && isFinal(answer);
    return mayBeOurs ? listUnknownAddress(deps, deposit, answer, owner) : leaveOut(deps, deposit, answer, owner);
  }
  addFields({ operationId: owner.operationId });
  if (await isCompleted(deps, owner, answer)) return afterCredit(deps, deposit);
  if (hasEnded(answer)) {
    if (deposit.transfer?.state !== answer.state)
      log.info('NOTIFIED_DEPOSIT_FAILED', { custodianTransferId: deposit.custodianTransferId });
    await recordTransfer(
      deps,
      deposit,
      { ...owner, ...transferFailed(answer) },
      nextPollOfFailedTransfer(deps, deposit),
    );
    return;
  }
  if (!isFinal(answer)) return pollAgain(deps, deposit, answer, owner);
  if (deposit.settled?.outcome === 'WRITTEN_OFF') return removeWriteOff(deps, deposit);
  if (await deps.movements.isTaken(answer)) return leaveOut(deps, deposit, answer, ownerOfDuplicate(deposit));
  const operation = owner.operationId === undefined ? undefined : await deps.operations.find(owner.operationId);
  if (!(await credit(deps, answer, operation))) return markUnmatched(deps, deposit, answer, owner);
  return afterCredit(deps, deposit);
}

/** A deposit that was written off has arrived after all: removes the settlement, and polls it again at once. */
async function removeWriteOff(deps: Dependencies, deposit: PolledDeposit): Promise<void> {
  await recordTransfer(deps, deposit, { settled: undefined }, deps.clock.now().getTime() / 1000);
}

/** Concludes the poll of a deposit that was credited just now. Reads it again, because the credit has changed it. */
async function afterCredit(deps: Dependencies, { custodianTransferId, nextPollAt }: PolledDeposit): Promise<void> {
  const credited = await deps.deposits.find(custodianTransferId);
  if (credited !== undefined)
    await concludePoll(deps, { ...credited, nextPollAt }, {}, nextPollAfterCredit(deps, credited));
}

/**
 * Completes a credit after a restore to the second of the credit, which may have kept the operation and not the
 * deposit. The deposit is credited even if it was taken back since then: its next poll finds that, and alerts a person.
 */
async function isCompleted(
  { restoredAt, operations, creditDeposit }: Dependencies,
  { operationId }: Owner,
  transfer: CustodianTransfer,
): Promise<boolean> {
  if (restoredAt === undefined || operationId === undefined) return false;
  const operation = await operations.find(operationId);
  if (operation?.verifiedTxHash !== transfer.txHash) return false;
  return (await creditDeposit(operationId, transfer)).outcome === 'CREDITED';
}

const isNoDeposit = ({ ignoredReason }: Owner) => ignoredReason !== undefined && ignoredReason !== 'TOO_MANY';

/** True once the transfer has ended or is final, or the wait is over. Until then the custodian may correct its data. */
function isDecided(deps: Dependencies, deposit: PolledDeposit, transfer: CustodianTransfer): boolean {
  if (hasEnded(transfer) || isFinal(transfer)) return true;
  return nextPoll(deps, deposit) === undefined;
}

/** The transfer is not a deposit: writes no event, and plans no further poll until the custodian notifies again. */
async function leaveOut(deps: Dependencies, deposit: PolledDeposit, transfer: CustodianTransfer, owner: Owner) {
  // After a restore it may have been listed, because its address was unknown.
  const listed = deposit.reasons === undefined ? { unmatched: undefined, unmatchedSince: undefined } : {};
  await recordTransfer(
    deps,
    deposit,
    { ...owner, ...transferAttributes(transfer), ...transferNotFound, ...listed },
    undefined,
  );
}

/** Seconds between two polls of a deposit to an unknown address, until a restore is repaired. */
const LOOKED_AGAIN_AFTER = 3600;

/**
 * Lists a deposit to an unknown address as `unmatched` and raises an alarm each hour, because a restore may have lost
 * the off-ramp of the address. This ends when the off-ramp is put back, which credits the deposit automatically, or
 * when the deposit is settled.
 */
async function listUnknownAddress(
  deps: Dependencies,
  deposit: PolledDeposit,
  transfer: CustodianTransfer,
  owner: Owner,
) {
  const now = deps.clock.now();
  const isOpen = deposit.settled === undefined && deposit.reasons === undefined;
  const next = isOpen ? now.getTime() / 1000 + LOOKED_AGAIN_AFTER : undefined;
  const change = {
    ...owner,
    ...transferAttributes(transfer),
    ...transferNotFound,
    ...transferNeverFinal(deposit, now),
  };
  const isKept = await recordTransfer(deps, deposit, change, next);
  const { custodianTransferId, txHash } = transfer;
  if (isKept && isOpen && isKnownAsset(deps, transfer)) log.error('DEPOSIT_NOT_OURS', { custodianTransferId, txHash });
}

/** Credits the transfer if its operation awaits it. True if it is credited, in this call or an earlier one. */
async function credit(
  deps: Dependencies,
  transfer: CustodianTransfer,
  operation: OffRamp | undefined,
): Promise<boolean> {
  const { custodianTransferId, txHash } = transfer;
  if (operation !== undefined && isAwaitedBy(operation, transfer)) {
    const { operationId } = operation;
    const { outcome } = await deps.creditDeposit(operationId, transfer);
    if (outcome === 'CREDITED') {
      log.info('DEPOSIT_DETECTED', { custodianTransferId, txHash, operationId });
      return true;
    }
  }
  return (await deps.deposits.find(custodianTransferId))?.creditedAt !== undefined;
}

/**
 * Completes a credit after a restore to the second of the credit, which may have kept only some of its items: without
 * this, the operation may await its deposit for ever. If the operation has ended meanwhile, this raises an alarm,
 * because only a person can move the money then.
 */
async function completeCredit(
  { creditDeposit }: Dependencies,
  { operationId }: PolledDeposit,
  answer: ReadableAnswer,
): Promise<void> {
  if (typeof answer === 'string' || operationId === undefined) return;
  const { outcome, operation } = await creditDeposit(operationId, answer);
  if (outcome === 'NOT_AWAITING' && operation.verifiedTxHash === undefined) logOwed(operation);
}

/** Records a final transfer that its operation does not await, or that has no operation, for finance operations. */
async function markUnmatched(
  deps: Dependencies,
  deposit: PolledDeposit,
  transfer: CustodianTransfer,
  owner: Owner,
): Promise<void> {
  const reasons = deposit.reasons ?? (await reasonsNow(deps, transfer, owner));
  const change = transferUnmatched(deposit, transfer, deps.clock.now(), reasons);
  const at = unnotifiedPollAt({ ...deposit, ...change });
  const next = at !== undefined && at > deps.clock.now().getTime() / 1000 ? at : undefined;
  // Claim the movement once, at the first mismatch. A second record of it loses, is polled again and left out.
  const also = deposit.firstUnmatchedAt === undefined ? { movement: deps.movements.claim(transfer) } : {};
  const isKept = await recordTransfer(deps, deposit, { ...owner, ...change }, next, also);
  const { custodianTransferId, txHash } = transfer;
  if (isKept && isFoundLate(deposit)) log.warn('FOUND_WITHOUT_NOTIFICATION', { custodianTransferId, txHash });
  const isListed = deposit.unmatched !== undefined || deposit.settled !== undefined;
  if (isKept && !isListed && needsAPerson(deps, owner, transfer)) {
    log.error('DEPOSIT_UNMATCHED', { custodianTransferId, txHash });
  }
}

async function reasonsNow(deps: Dependencies, transfer: CustodianTransfer, { operationId }: Owner) {
  const operation = operationId === undefined ? undefined : await deps.operations.find(operationId);
  if (operation === undefined) return [];
  const funded = await deps.fundedBy(transfer.txHash);
  return unmatchedReasons(operation, transfer, funded === undefined ? undefined : await deps.operations.find(funded));
}
