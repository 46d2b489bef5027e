import type { Network, NetworkRules } from '#shared/networks/network.ts';
import type { ConfirmDeposit } from '#shared/off-ramps/confirm-deposit.ts';
import type { FindTransfers } from '#shared/off-ramps/custodians/custodian.ts';
import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import { type Deposit, depositStatusOf } from '#shared/off-ramps/deposit.ts';
import {
  arriving,
  type DepositChange,
  failed,
  neverFinal,
  notFound,
  unconfirmedAgain,
  unmatched,
} from '#shared/off-ramps/deposit-changes.ts';
import { hasEnoughConfirmations, isAwaitedBy } from '#shared/off-ramps/deposit-match.ts';
import type { DepositPoll } from '#shared/off-ramps/deposit-polls.ts';
import type { Deposits } from '#shared/off-ramps/deposit-store.ts';
import type { OffRamp } from '#shared/off-ramps/off-ramp.ts';
import { nextPollTime, type VerificationWindow } from '#shared/off-ramps/poll-schedule.ts';
import { unmatchedReasons } from '#shared/off-ramps/unmatched-reasons.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { addFields, log } from '#shared/platform/logger.ts';
import { type Answer, askForDeposit } from './ask-custodian.ts';
import { checkCredited } from './check-credited.ts';
import { concludePoll } from './conclude-poll.ts';
import { isKnownAsset, type Owner, type Owning, ownerOf } from './owner-of.ts';
import { type PolledDeposit, type Recording, recordTransfer } from './record-transfer.ts';

interface Dependencies extends Recording, Owning {
  readonly clock: Clock;
  readonly deposits: Pick<Deposits, 'find'>;
  readonly findTransfers: FindTransfers;
  /** Id of the operation that a transaction funds. */
  readonly fundedBy: (txHash: string) => Promise<string | undefined>;
  readonly confirmDeposit: ConfirmDeposit;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
}

/** Seconds. */
const DAY = 24 * 3600;

/** Seconds for which a transfer is expected to become final, from its last notification on. */
const LONGEST_WAIT = 14 * DAY;

/** Seconds for which one is polled that is still not final then. */
const LONGEST_WATCH = 364 * DAY;

/**
 * One poll of a notified transfer: once it has enough confirmations it is credited to its address's operation, if that
 * awaits it, and else kept as unmatched for finance operations. A poll that was made already, or that another one has
 * replaced, changes nothing.
 */
export function matchDeposit(deps: Dependencies) {
  return async ({ custodianTransferId, nextPollAt }: DepositPoll): Promise<void> => {
    const found = await deps.deposits.find(custodianTransferId);
    if (found === undefined) throw new Error(`There is no deposit ${custodianTransferId}.`);
    addFields({ operationId: found.operationId });
    if (found.nextPollAt !== nextPollAt) return;
    const deposit: PolledDeposit = { ...found, nextPollAt };
    const answer = await askForDeposit(deps.findTransfers, deposit);
    if (deposit.creditedTo === undefined) return matchUncredited(deps, deposit, answer);
    return checkCredited(deps, deposit, answer, nextPoll(deps, deposit, answer !== 'NO_ANSWER'));
  };
}

/** A transfer that can still be credited is, once it has enough confirmations. */
async function matchUncredited(deps: Dependencies, deposit: PolledDeposit, answer: Answer): Promise<void> {
  if (typeof answer === 'string') return pollAgain(deps, deposit, answer, {});
  const owner = await ownerOf(deps, deposit, answer);
  if (isNoDeposit(owner) && isDecided(deps, deposit, answer)) return leaveOut(deps, deposit, answer, owner);
  addFields({ operationId: owner.operationId });
  if (answer.state === 'FAILED') {
    log.info('NOTIFIED_DEPOSIT_FAILED', { custodianTransferId: deposit.custodianTransferId });
    await recordTransfer(deps, deposit, { ...owner, ...failed(answer) }, undefined);
    return;
  }
  const { minimumConfirmations } = deps.networkRules[deposit.network];
  if (!hasEnoughConfirmations(answer, minimumConfirmations)) return pollAgain(deps, deposit, answer, owner);
  const operation = owner.operationId === undefined ? undefined : await deps.operations.find(owner.operationId);
  const creditedTo = await credit(deps, answer, operation);
  if (creditedTo === undefined) return file(deps, deposit, answer, owner);
  await concludePoll(deps, { ...deposit, creditedTo }, {}, undefined);
}

/** What cost its sender money does, however many came before it. */
function needsAPerson(deps: Dependencies, { leftOut }: Owner, transfer: CustodianTransfer | undefined): boolean {
  return leftOut === undefined || (leftOut === 'TOO_MANY' && transfer !== undefined && isKnownAsset(deps, transfer));
}

const isNoDeposit = ({ leftOut }: Owner) => leftOut !== undefined && leftOut !== 'TOO_MANY';

/** Until it is final, or for as long as that is waited for, the custodian may correct what it says of it. */
function isDecided(deps: Dependencies, deposit: Deposit, transfer: CustodianTransfer): boolean {
  const { minimumConfirmations } = deps.networkRules[deposit.network];
  if (transfer.state === 'FAILED' || hasEnoughConfirmations(transfer, minimumConfirmations)) return true;
  return nextPoll(deps, deposit, true) === undefined;
}

/** It is no deposit: nobody hears of it, and it is polled no more unless the custodian tells of it again. */
async function leaveOut(deps: Dependencies, deposit: PolledDeposit, transfer: CustodianTransfer, owner: Owner) {
  await recordTransfer(deps, deposit, { ...owner, transfer, ...notFound }, undefined);
}

/** From the last notification on, or from when it was credited; in seconds since 1970. */
function waitFor({ lastNotifiedAt, creditedAt = lastNotifiedAt }: Deposit): VerificationWindow {
  const startsAt = Math.max(Date.parse(lastNotifiedAt), Date.parse(creditedAt)) / 1000;
  return { startsAt, endsAt: startsAt + LONGEST_WAIT };
}

/** When the deposit is due again, in seconds since 1970: at its network's finality, then after growing waits. */
function nextPoll({ clock, networkRules }: Dependencies, deposit: Deposit, isAnswered: boolean): number | undefined {
  const { finalitySeconds } = networkRules[deposit.network];
  return nextPollTime(clock.now().getTime() / 1000, waitFor(deposit), finalitySeconds, isAnswered);
}

/** Not final yet: it is polled again. */
async function pollAgain(deps: Dependencies, deposit: PolledDeposit, answer: Answer, owner: Owner): Promise<void> {
  const next = nextPoll(deps, deposit, true);
  if (next === undefined) return pollDaily(deps, deposit, answer, owner);
  const change = answer === 'NO_ANSWER' ? {} : answer === 'NOT_FOUND' ? notFound : notFinal(deposit, answer);
  await recordTransfer(deps, deposit, { ...owner, ...change }, next);
}

/**
 * Still not final after the longest wait: with one alarm it is shown to finance operations, keeps nobody from cancelling
 * any more and, if it was seen, is polled daily.
 */
async function pollDaily(deps: Dependencies, deposit: PolledDeposit, answer: Answer, owner: Owner): Promise<void> {
  const [now, { startsAt, endsAt }] = [deps.clock.now(), waitFor(deposit)];
  const last = answer === 'NO_ANSWER' ? deposit.transfer : answer === 'NOT_FOUND' ? undefined : answer;
  const seen = last === undefined ? {} : notFinal(deposit, last);
  const status = depositStatusOf({ ...deposit, ...seen });
  const isWaiting = status === 'DETECTED' || status === 'HELD';
  const listed = isWaiting && last !== undefined ? neverFinal(deposit, now) : {};
  const tomorrow = now.getTime() / 1000 + DAY;
  const next = isWaiting && tomorrow <= startsAt + LONGEST_WATCH ? tomorrow : undefined;
  const isKept = await recordTransfer(deps, deposit, { ...owner, ...seen, ...notFound, ...listed }, next);
  const isNews =
    (isWaiting || status === undefined) &&
    needsAPerson(deps, owner, last) &&
    Date.parse(deposit.nextPollAt) / 1000 <= endsAt;
  if (isKept && isNews) log.error('DEPOSIT_NEVER_CONFIRMED', { custodianTransferId: deposit.custodianTransferId });
}

/** What is unmatched can be held, or fail, and from there comes back to unmatched alone (decisions.md 9). */
function notFinal(deposit: Deposit, transfer: CustodianTransfer): DepositChange {
  const isUnmatched = deposit.reasons !== undefined && transfer.state !== 'HELD';
  return isUnmatched ? unconfirmedAgain(transfer) : arriving(transfer);
}

/** The operation that the transfer is credited to, by this call or another: no other than its address's operation. */
async function credit(
  deps: Dependencies,
  transfer: CustodianTransfer,
  operation: OffRamp | undefined,
): Promise<string | undefined> {
  const { custodianTransferId, txHash } = transfer;
  if (operation !== undefined && isAwaitedBy(operation, transfer)) {
    const { operationId } = operation;
    const { outcome } = await deps.confirmDeposit(operationId, transfer);
    if (outcome === 'CREDITED') {
      log.info('DEPOSIT_DETECTED', { custodianTransferId, txHash, operationId });
      return operationId;
    }
  }
  return (await deps.deposits.find(custodianTransferId))?.creditedTo;
}

/** It is final, and not what its operation awaits. */
async function file(
  deps: Dependencies,
  deposit: PolledDeposit,
  transfer: CustodianTransfer,
  owner: Owner,
): Promise<void> {
  const reasons = deposit.reasons ?? (await reasonsNow(deps, transfer, owner));
  const change = unmatched(deposit, transfer, deps.clock.now(), reasons);
  const isKept = await recordTransfer(deps, deposit, { ...owner, ...change }, undefined);
  if (isKept && deposit.unmatched === undefined && needsAPerson(deps, owner, transfer)) {
    log.error('DEPOSIT_UNMATCHED', { custodianTransferId: transfer.custodianTransferId, txHash: transfer.txHash });
  }
}

async function reasonsNow(deps: Dependencies, transfer: CustodianTransfer, { operationId }: Owner) {
  const operation = operationId === undefined ? undefined : await deps.operations.find(operationId);
  if (operation === undefined) return [];
  const funded = await deps.fundedBy(transfer.txHash);
  return unmatchedReasons(operation, transfer, funded === undefined ? undefined : await deps.operations.find(funded));
}
