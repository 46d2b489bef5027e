import type { CustodianTransfer } from '#shared/off-ramps/custodians/custodian.ts';
import { type Deposit, transferAttributes } from '#shared/off-ramps/model/deposit.ts';
import { creditConfirmed, creditReversed } from '#shared/off-ramps/model/deposit-changes.ts';
import { hasEnded, isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import { compareAmounts } from '#shared/platform/amount.ts';
import { log } from '#shared/platform/logger.ts';
import type { ReadableAnswer } from './ask-custodian.ts';
import { type PolledDeposit, recordTransfer } from './conclude-poll.ts';
import { nextDailyPoll, nextPoll, type PollDependencies } from './wait-until-final.ts';
import { isFoundLate, unnotifiedPollAt } from './without-notification.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;

/**
 * Checks whether a credited deposit is still there (decisions.md 4, A credited deposit that is taken back). A
 * reorganisation or a freeze may remove it, and nothing is undone automatically. The deposit becomes REVERSED when the
 * custodian says that it has failed, is held or is gone. No answer, an answer without the transfer and a transfer that
 * is not final decide nothing: after a day of these a person is alerted. A changed amount or asset alerts one, too.
 */
export async function checkCredited(
  deps: PollDependencies,
  deposit: PolledDeposit,
  found: ReadableAnswer,
): Promise<void> {
  const { custodianTransferId, txHash, operationId } = deposit;
  const credited = { custodianTransferId, txHash, operationId };
  if (typeof found === 'string') return recordMissing(deps, deposit, {});
  const answer = withCreditedMoney(deposit, found);
  if (hasEnded(answer) || answer.state === 'HELD') {
    const isKnown = deposit.unmatched !== undefined && deposit.transfer?.state === answer.state;
    if (!isKnown) log.error('CREDITED_DEPOSIT_REVERSED', { ...credited, state: answer.state });
    const change = creditReversed(deposit, answer, deps.clock.now());
    // A deposit that is held or gone may come back, so polling goes on.
    const next = answer.state === 'FAILED' ? nextPollAfterCredit(deps, deposit) : whileWaiting(deps, deposit);
    await recordTransfer(deps, deposit, change, next);
  } else if (isFinal(answer)) await recordStillThere(deps, deposit, answer, found);
  else await recordMissing(deps, deposit, transferAttributes(answer));
}

/** If amount or asset differ from the credited ones, a person decides, and a REVERSED deposit stays REVERSED. */
async function recordStillThere(
  deps: PollDependencies,
  deposit: PolledDeposit,
  kept: CustodianTransfer,
  found: CustodianTransfer,
) {
  const { custodianTransferId, txHash, operationId } = deposit;
  const credited = { custodianTransferId, txHash, operationId };
  const isSame = isSameMoney(deposit, found);
  if (!isSame) log.error('CREDITED_DEPOSIT_DIFFERS', { ...credited, amount: found.amount, assetId: found.assetId });
  else if (deposit.unmatched !== undefined) log.error('CREDITED_DEPOSIT_CONFIRMED_AGAIN', credited);
  if (isFoundLate(deposit)) log.warn('FOUND_WITHOUT_NOTIFICATION', credited);
  const next = nextPollAfterCredit(deps, { ...deposit, ...transferAttributes(kept) });
  await recordTransfer(deps, deposit, creditConfirmed(deposit, kept, isSame), next);
}

/**
 * Keeps the credited amount and asset, even if a reorganisation or a correction changed them: the books compare them
 * with the custodian's list. Once the deposit is owed, the custodian's facts are stored: only that money can be sent
 * back.
 */
function withCreditedMoney(deposit: PolledDeposit, found: CustodianTransfer): CustodianTransfer {
  const { transfer, owed } = deposit;
  if (transfer === undefined || owed !== undefined || isSameMoney(deposit, found)) return found;
  return { ...found, assetId: transfer.assetId, amount: transfer.amount };
}

function isSameMoney({ transfer }: PolledDeposit, { assetId, amount }: CustodianTransfer): boolean {
  return transfer === undefined || (transfer.assetId === assetId && compareAmounts(transfer.amount, amount) === 0);
}

/**
 * The next poll of a credited deposit, in seconds since 1970: at finality, after an hour and after a day. Finds a
 * reversal that was not notified. Begins again when a reorganisation puts the transaction in a later block, because no
 * chain notifies that it is undone once more.
 */
export function nextPollAfterCredit({ clock, networkRules }: PollDependencies, deposit: Deposit): number | undefined {
  const { lastNotifiedAt, creditedAt = lastNotifiedAt, createdAt = creditedAt, network } = deposit;
  const base = Math.max(Date.parse(creditedAt), Date.parse(createdAt)) / 1000;
  const polls = [networkRules[network].finalitySeconds, HOUR, DAY].map((after) => base + after);
  const unnotified = unnotifiedPollAt({ ...deposit, creditedAt });
  const now = clock.now().getTime() / 1000;
  return [...polls, ...(unnotified === undefined ? [] : [unnotified])].toSorted((a, b) => a - b).find((at) => at > now);
}

const whileWaiting = (deps: PollDependencies, deposit: PolledDeposit) =>
  nextPoll(deps, deposit) ?? nextDailyPoll(deps, deposit);

/** The deposit is not confirmed: its status stays, polling goes on, and after a day a person is alerted. */
async function recordMissing(
  deps: PollDependencies,
  deposit: PolledDeposit,
  seen: Partial<Pick<Deposit, 'transfer' | 'createdAt' | 'createdOn'>>,
): Promise<void> {
  const at = deps.clock.now().toISOString();
  const { custodianTransferId, txHash, operationId, missingSince = at, isMissingCalled = false } = deposit;
  const lateAt = Date.parse(missingSince) / 1000 + DAY;
  const isLate = !isMissingCalled && deps.clock.now().getTime() / 1000 >= lateAt;
  const planned = whileWaiting(deps, deposit);
  const isToBeCalled = !isMissingCalled && !isLate;
  const next = isToBeCalled && planned ? Math.max(Math.min(planned, lateAt), deposit.notBefore) : planned;
  const change = { ...seen, missingSince, ...(isLate && { isMissingCalled: true as const }) };
  // Logged before `isMissingCalled` is stored: a poll that dies in between repeats the alarm instead of losing it.
  if (isLate) log.error('CREDITED_DEPOSIT_NOT_FOUND', { custodianTransferId, txHash, operationId });
  await recordTransfer(deps, deposit, change, next);
}
