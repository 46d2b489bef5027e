import type { Network, NetworkRules } from '#shared/networks/network.ts';
import type { UnreadableTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, depositStatusOf, transferOf } from '#shared/off-ramps/model/deposit.ts';
import {
  type DepositChange,
  neverFinal,
  notFound,
  pending,
  readAgain,
  unreadable,
} from '#shared/off-ramps/model/deposit-changes.ts';
import { nextPollTime, type VerificationWindow } from '#shared/off-ramps/model/poll-schedule.ts';
import { log } from '#shared/platform/logger.ts';
import type { ReadableAnswer } from './ask-custodian.ts';
import { type PolledDeposit, type RecordDependencies, recordTransfer } from './conclude-poll.ts';
import { needsAPerson, type Owner, type OwnerDependencies } from './owner-of.ts';

export interface Waiting extends RecordDependencies, OwnerDependencies {
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
}

/** Seconds. */
const HOUR = 3600;
const DAY = 24 * HOUR;

/** Seconds for which a transfer is expected to become final, from its last notification on. */
const LONGEST_WAIT = 14 * DAY;

/** Seconds for which a transfer is polled that is not final by then. */
const LONGEST_WATCH = 364 * DAY;

/** Seconds since 1970: the last notification or the credit. */
function waitFor({ lastNotifiedAt, creditedAt = lastNotifiedAt }: Deposit): VerificationWindow {
  const startsAt = Math.max(Date.parse(lastNotifiedAt), Date.parse(creditedAt)) / 1000;
  return { startsAt, endsAt: startsAt + LONGEST_WAIT };
}

/** When the deposit is due again, in seconds since 1970: at its network's finality, then after growing waits. */
export function nextPoll({ clock, networkRules }: Waiting, deposit: PolledDeposit) {
  const { finalitySeconds } = networkRules[deposit.network];
  const next = nextPollTime(clock.now().getTime() / 1000, waitFor(deposit), finalitySeconds, 'FOUND');
  return next && Math.max(next, deposit.notBefore);
}

/** The next daily poll of a transfer that is not final after the longest wait, the last one at the end of its watch. */
export function nextDay({ clock }: Waiting, deposit: PolledDeposit): number | undefined {
  const now = clock.now().getTime() / 1000;
  const last = waitFor(deposit).startsAt + LONGEST_WATCH;
  return now < last ? Math.max(Math.min(now + DAY, last), deposit.notBefore) : undefined;
}

/** Polls a transfer again that is not final yet. */
export async function pollAgain(
  deps: Waiting,
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
  if (answer === 'NOT_FOUND') return notFound;
  // It has another id, or several: it is no longer unreadable.
  if (answer === 'OTHERS_FOUND') return { ...notFound, ...readAgain };
  return pending(answer);
}

/**
 * Still not final after the longest wait. One alarm shows it to finance operations. It no longer prevents a
 * cancellation and, if it was seen, is polled daily. There is no alarm if the transfer exists under other ids: those
 * are deposits.
 */
async function pollDaily(deps: Waiting, deposit: PolledDeposit, answer: ReadableAnswer, owner: Owner): Promise<void> {
  const { custodianTransferId, nextPollAt } = deposit;
  const last = answer === 'NO_ANSWER' ? transferOf(deposit) : typeof answer === 'string' ? undefined : answer;
  const seen = changeOf(answer);
  const known = { ...deposit, ...seen };
  const status = depositStatusOf(known);
  // It was seen before its movements were told: these are other deposits.
  const isOthers = answer === 'OTHERS_FOUND' && deposit.transfer?.toAddress === '';
  // What was unmatched before it failed came back, and is in no list.
  const isBack = status === 'UNMATCHED' && known.transfer?.state !== 'CONFIRMED';
  const isWaiting = !isOthers && (status === 'DETECTED' || status === 'HELD' || isBack);
  const listed = isWaiting && last !== undefined ? neverFinal(deposit, deps.clock.now()) : {};
  const next = isWaiting ? nextDay(deps, deposit) : undefined;
  const isMissing = status === undefined && answer !== 'OTHERS_FOUND';
  // Planned by a poll of the wait: a pause that the custodian asks for is at most a day, as is the wait for a daily poll.
  const isFirst = Date.parse(nextPollAt) / 1000 <= waitFor(deposit).endsAt - 1 + DAY;
  const whose = { operationId: deposit.operationId, ...owner };
  const isNews = isFirst && (isWaiting || isMissing) && needsAPerson(deps, whose, last);
  // Before it is written: a poll that dies after that would leave nobody called, and what is missing in no list.
  if (isNews) log.error('DEPOSIT_NEVER_CONFIRMED', { custodianTransferId });
  await recordTransfer(deps, deposit, { ...owner, ...seen, ...notFound, ...listed }, next);
}

/**
 * Its data cannot be read, which counts as no answer for this transfer alone (decisions.md 12, Boundary). Its status
 * stays and it is polled on, with one alarm; operators find it by its id.
 */
export async function pollUnreadable(deps: Waiting, deposit: PolledDeposit, answer: UnreadableTransfer): Promise<void> {
  const next = nextPoll(deps, deposit) ?? nextDay(deps, deposit);
  const isKept = await recordTransfer(deps, deposit, unreadable(deposit, answer, deps.clock.now()), next);
  if (!isKept || deposit.unreadable !== undefined) return;
  const { custodianTransferId, txHash, unreadableFields: fields } = answer;
  log.error('TRANSFER_UNREADABLE', { custodianTransferId, txHash, fields });
}

/**
 * When what has failed is asked for once more, an hour after its last notification: an answer may be older than the
 * notification that it follows, and nobody tells twice that a transfer came back.
 */
export function onceMore({ clock }: Waiting, { lastNotifiedAt }: Deposit): number | undefined {
  const at = Date.parse(lastNotifiedAt) / 1000 + HOUR;
  return at > clock.now().getTime() / 1000 ? at : undefined;
}
