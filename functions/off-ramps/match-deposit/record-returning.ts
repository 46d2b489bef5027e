import { asKept } from '#shared/off-ramps/model/deposit.ts';
import { hasEnded, isFinal } from '#shared/off-ramps/model/deposit-match.ts';
import { sendingIdOf } from '#shared/off-ramps/model/returns.ts';
import { log } from '#shared/platform/logger.ts';
import type { ReadableAnswer } from './ask-custodian.ts';
import { nextAfterCredit } from './check-credited.ts';
import { type PolledDeposit, recordTransfer } from './conclude-poll.ts';
import { nextDay, nextPoll, onceMore, type Waiting } from './wait-until-final.ts';

/**
 * A poll of a deposit whose return was requested writes facts, and no status. If it is taken away while it is sent back,
 * or after that, a person is alerted; before that, whoever sends it drops the request.
 */
export async function recordReturning(deps: Waiting, deposit: PolledDeposit, answer: ReadableAnswer): Promise<void> {
  if (typeof answer === 'string') {
    await recordTransfer(deps, deposit, {}, nextPoll(deps, deposit) ?? nextDay(deps, deposit));
    return;
  }
  const isThere = isFinal(answer);
  const afterwards = deposit.creditedAt === undefined ? undefined : nextAfterCredit(deps, deposit);
  const waiting = hasEnded(answer) ? onceMore(deps, deposit) : (nextPoll(deps, deposit) ?? nextDay(deps, deposit));
  const next = isThere ? afterwards : (waiting ?? afterwards);
  const isNews = !isThere && answer.state !== 'UNCONFIRMED' && answer.state !== deposit.transfer?.state;
  // Before it is written: a poll that dies after that would leave nobody called, and it in no list.
  if (isNews && deposit.return?.sendingAt !== undefined) {
    const { custodianTransferId, txHash } = deposit;
    const about = { custodianTransferId, txHash, state: answer.state, sending: sendingIdOf(deposit) };
    log.error('RETURNED_DEPOSIT_TAKEN_BACK', about);
  }
  await recordTransfer(deps, deposit, { transfer: asKept(answer) }, next);
}
