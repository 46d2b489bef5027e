import { confirmed, reversed } from '#shared/off-ramps/deposit-changes.ts';
import { log } from '#shared/platform/logger.ts';
import type { Answer } from './ask-custodian.ts';
import { type PolledDeposit, type Recording, recordTransfer } from './record-transfer.ts';

/**
 * Whether a credited deposit is still there (decisions.md 4, A credited deposit that is taken back): after a
 * reorganisation or a freeze it is not, and nothing moves back by itself. It is polled until it is confirmed again or
 * has failed. No answer, and an answer without the transfer, say neither.
 *
 * @param next when to poll again, in seconds since 1970; `undefined` when the deposit has been waited for long enough
 */
export async function checkCredited(
  deps: Recording,
  deposit: PolledDeposit,
  answer: Answer,
  next: number | undefined,
): Promise<void> {
  const { custodianTransferId, txHash, creditedTo: operationId } = deposit;
  const credited = { custodianTransferId, txHash, operationId };
  if (typeof answer === 'string') {
    if (next === undefined) log.error('CREDITED_DEPOSIT_NOT_FOUND', credited);
    await recordTransfer(deps, deposit, {}, next);
  } else if (answer.state === 'CONFIRMED') {
    if (deposit.unmatched !== undefined) log.error('CREDITED_DEPOSIT_CONFIRMED_AGAIN', credited);
    await recordTransfer(deps, deposit, confirmed(answer), undefined);
  } else {
    const isKnown = deposit.unmatched !== undefined && deposit.transfer?.state === answer.state;
    if (!isKnown) log.error('CREDITED_DEPOSIT_REVERSED', { ...credited, state: answer.state });
    const change = reversed(deposit, answer, deps.clock.now());
    await recordTransfer(deps, deposit, change, answer.state === 'FAILED' ? undefined : next);
  }
}
