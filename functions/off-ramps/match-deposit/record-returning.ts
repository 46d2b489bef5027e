import { storedTransfer } from '#shared/off-ramps/model/deposit.ts';
import { hasEnded, isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import { sendingIdOf } from '#shared/off-ramps/model/returns.ts';
import { log } from '#shared/platform/logger.ts';
import type { ReadableAnswer } from './ask-custodian.ts';
import { nextPollAfterCredit } from './check-credited.ts';
import { type PolledDeposit, recordTransfer } from './conclude-poll.ts';
import { nextDailyPoll, nextPoll, nextPollOfFailedTransfer, type PollDependencies } from './wait-until-final.ts';

/**
 * Records a poll of a deposit whose return was requested: facts only, no status. If the deposit is taken back while it
 * is being sent, or later, this alerts a person. If it was taken back earlier, the sender drops the request.
 */
export async function recordReturning(
  deps: PollDependencies,
  deposit: PolledDeposit,
  answer: ReadableAnswer,
): Promise<void> {
  if (typeof answer === 'string') {
    await recordTransfer(deps, deposit, {}, nextPoll(deps, deposit) ?? nextDailyPoll(deps, deposit));
    return;
  }
  const isThere = isFinal(answer);
  const afterwards = deposit.creditedAt === undefined ? undefined : nextPollAfterCredit(deps, deposit);
  const waiting = hasEnded(answer)
    ? nextPollOfFailedTransfer(deps, deposit)
    : (nextPoll(deps, deposit) ?? nextDailyPoll(deps, deposit));
  const next = isThere ? afterwards : (waiting ?? afterwards);
  const isNews = !isThere && answer.state !== 'UNCONFIRMED' && answer.state !== deposit.transfer?.state;
  // Logged before the state is stored: a poll that died in between would leave the deposit without an alarm or a list.
  if (isNews && deposit.return?.sendingAt !== undefined) {
    const { custodianTransferId, txHash } = deposit;
    const about = { custodianTransferId, txHash, state: answer.state, sending: sendingIdOf(deposit) };
    log.error('RETURNED_DEPOSIT_TAKEN_BACK', about);
  }
  await recordTransfer(deps, deposit, { transfer: storedTransfer(answer) }, next);
}
