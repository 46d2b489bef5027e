import type { Network, NetworkRules } from '#shared/networks/network.ts';
import type { UnreadableTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, depositStatusOf, transferOf } from '#shared/off-ramps/model/deposit.ts';
import {
  answerReadable,
  answerUnreadable,
  type DepositChange,
  transferNeverFinal,
  transferNotFound,
  transferPending,
} from '#shared/off-ramps/model/deposit-changes.ts';
import { nextPollTime, type VerificationWindow } from '#shared/off-ramps/model/poll-schedule.ts';
import { log } from '#shared/platform/logger.ts';
import type { ReadableAnswer } from './ask-custodian.ts';
import { type PolledDeposit, type RecordDependencies, recordTransfer } from './conclude-poll.ts';
import { needsAPerson, type Owner, type OwnerDependencies } from './find-owner.ts';

export interface PollDependencies extends RecordDependencies, OwnerDependencies {
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
}

/** Seconds. */
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Seconds within which a transfer is expected to become final, from its last notification on. */
const LONGEST_WAIT = 14 * DAY;

/** Seconds for which a transfer is polled daily if it is not final by then. */
const LONGEST_WATCH = 364 * DAY;

/** The wait for finality, in seconds since 1970: from the last notification or the credit, whichever is later. */
function waitFor({ lastNotifiedAt, creditedAt = lastNotifiedAt }: Deposit): VerificationWindow {
  const startsAt = Math.max(Date.parse(lastNotifiedAt), Date.parse(creditedAt)) / 1000;
  return { startsAt, endsAt: startsAt + LONGEST_WAIT };
}

/** When the deposit is due again, in seconds since 1970: at its network's finality, then after growing waits. */
export function nextPoll({ clock, networkRules }: PollDependencies, deposit: PolledDeposit) {
  const { finalitySeconds } = networkRules[deposit.network];
  const next = nextPollTime(clock.now().getTime() / 1000, waitFor(deposit), finalitySeconds, 'FOUND');
  return next && Math.max(next, deposit.notBefore);
}

/** The next daily poll of a transfer that is not final after the longest wait, the last one at the end of its watch. */
export function nextDailyPoll({ clock }: PollDependencies, deposit: PolledDeposit): number | undefined {
  const now = clock.now().getTime() / 1000;
  const last = waitFor(deposit).startsAt + LONGEST_WATCH;
  return now < last ? Math.max(Math.min(now + DAY, last), deposit.notBefore) : undefined;
}

/** Polls a transfer again that is not final yet. */
export async function pollAgain(
  deps: PollDependencies,
  deposit: PolledDeposit,
  answer: ReadableAnswer,
  owner: Owner,
): Promise<void> {
  const next = nextPoll(deps, deposit);
  if (next === undefined) return pollDaily(deps, deposit, answer, owner);
  await recordTransfer(deps, deposit, { ...owner, ...changeOf(answer) }, next);
}

function changeOf(answer: ReadableAnswer): DepositChange {
  if (answer === 'NO_ANSWER') return {};
  if (answer === 'NOT_FOUND') return transferNotFound;
  // The transaction has transfers with other ids, so the unreadable answer is obsolete.
  if (answer === 'OTHERS_FOUND') return { ...transferNotFound, ...answerReadable };
  return transferPending(answer);
}

/**
 * Handles a transfer that is not final after the longest wait: raises one alarm, lists it for finance operations and,
 * if it was seen, polls it daily. It no longer prevents a cancellation. There is no alarm if the transaction has
 * transfers with other ids: those are deposits.
 */
async function pollDaily(
  deps: PollDependencies,
  deposit: PolledDeposit,
  answer: ReadableAnswer,
  owner: Owner,
): Promise<void> {
  const { custodianTransferId, nextPollAt } = deposit;
  const last = answer === 'NO_ANSWER' ? transferOf(deposit) : typeof answer === 'string' ? undefined : answer;
  const seen = changeOf(answer);
  const known = { ...deposit, ...seen };
  const status = depositStatusOf(known);
  // It was seen before the custodian reported its movements, which are deposits with other ids.
  const isOthers = answer === 'OTHERS_FOUND' && deposit.transfer?.toAddress === '';
  // A deposit that was unmatched, failed and came back is in no list.
  const isBack = status === 'UNMATCHED' && known.transfer?.state !== 'CONFIRMED';
  const isWaiting = !isOthers && (status === 'DETECTED' || status === 'HELD' || isBack);
  const listed = isWaiting && last !== undefined ? transferNeverFinal(deposit, deps.clock.now()) : {};
  const next = isWaiting ? nextDailyPoll(deps, deposit) : undefined;
  const isMissing = status === undefined && answer !== 'OTHERS_FOUND';
  // A poll within the wait planned this one. A pause that the custodian asks for delays it by at most a day, and a
  // daily poll comes at least a day after the wait.
  const isFirst = Date.parse(nextPollAt) / 1000 <= waitFor(deposit).endsAt - 1 + DAY;
  const whose = { operationId: deposit.operationId, ...owner };
  const isNews = isFirst && (isWaiting || isMissing) && needsAPerson(deps, whose, last);
  // Logged before the write: a poll that died in between would leave a missing transfer without an alarm or a list.
  if (isNews) log.error('DEPOSIT_NEVER_CONFIRMED', { custodianTransferId });
  await recordTransfer(deps, deposit, { ...owner, ...seen, ...transferNotFound, ...listed }, next);
}

/**
 * Handles a transfer whose data cannot be read, which counts as no answer for this transfer alone (decisions.md 12,
 * Boundary). Its status stays, and polling goes on, with one alarm; operators find it by its id.
 */
export async function pollUnreadable(
  deps: PollDependencies,
  deposit: PolledDeposit,
  answer: UnreadableTransfer,
): Promise<void> {
  const next = nextPoll(deps, deposit) ?? nextDailyPoll(deps, deposit);
  const isKept = await recordTransfer(deps, deposit, answerUnreadable(deposit, answer, deps.clock.now()), next);
  if (!isKept || deposit.unreadable !== undefined) return;
  const { custodianTransferId, txHash, unreadableFields: fields } = answer;
  log.error('TRANSFER_UNREADABLE', { custodianTransferId, txHash, fields });
}

/**
 * The time of one more poll of a failed transfer, an hour after its last notification, in seconds since 1970. The
 * answer may be older than the notification before it, and a custodian notifies only once that a transfer came back.
 */
export function nextPollOfFailedTransfer({ clock }: PollDependencies, { lastNotifiedAt }: Deposit): number | undefined {
  const at = Date.parse(lastNotifiedAt) / 1000 + HOUR;
  return at > clock.now().getTime() / 1000 ? at : undefined;
}
