import { isOwed, mayBePaidFor } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { NextStep } from '#shared/operators/next-step.ts';
import { contradictionNextStep } from './contradiction-next-step.ts';

/** What happens next with a deposit, and who does it; `operation` is that of its address. */
export function depositNextStep(deposit: Deposit, operation: OffRamp | undefined): NextStep {
  const { transfer, unmatched, nextPollAt } = deposit;
  const over = endOf(deposit);
  if (over !== undefined) return { who: 'NOBODY', what: over };
  const at = nextPollAt === undefined ? {} : { at: nextPollAt };
  const funded = operation?.operationId === deposit.creditedTo ? operation : undefined;
  const contradiction = funded && contradictionNextStep(funded);
  switch (depositStatusOf(deposit)) {
    case undefined:
      return { who: 'SERVICE', what: 'Asks the custodian for the notified transfer.', ...at };
    case 'DETECTED':
      return unmatched === undefined
        ? { who: 'SERVICE', what: `Waits until it is final; it has ${transfer?.confirmations} confirmations.`, ...at }
        : {
            who: 'FINANCE',
            what: 'Asks the custodian: the deposit is not final 14 days after its last notification.',
            ...at,
          };
    case 'HELD':
      return { who: 'CUSTODIAN', what: 'Releases the deposit from its review, or sends it back.', ...at };
    case 'CREDITED':
      if (contradiction !== undefined) return contradiction;
      return funded !== undefined && isOwed(funded)
        ? owedNextStep(funded)
        : { who: 'NOBODY', what: 'It funds its operation.' };
    case 'UNMATCHED':
      return unmatchedNextStep(deposit, operation);
    case 'FAILED':
      return { who: 'NOBODY', what: 'It failed on its network: nothing has arrived.' };
    case 'REVERSED':
      return {
        who: 'FINANCE',
        what: contradiction === undefined ? takenBack(funded) : `It was taken back. ${contradiction.what}`,
        ...at,
      };
  }
}

/** The operation may have been paid out although it never had this deposit, or any. */
function unmatchedNextStep(deposit: Deposit, operation: OffRamp | undefined): NextStep {
  const { transfer, custodianTransferId } = deposit;
  const [sum, reason] = [`${transfer?.amount} ${transfer?.assetId}`, why(deposit)];
  const paidFor = operation && mayBePaidFor(operation, custodianTransferId) ? operation : undefined;
  const contradiction = paidFor && contradictionNextStep(paidFor);
  if (contradiction !== undefined)
    return { who: 'FINANCE', what: `${sum} funds nothing: ${reason}. Of its off-ramp: ${contradiction.what}` };
  const dealtWith =
    paidFor?.paidOut === true
      ? 'Its off-ramp was paid out, so nothing is returned. When that is done: settle-deposit, kept.'
      : 'When that is done: settle-deposit, returned or kept.';
  return {
    who: 'FINANCE',
    what: `Decides what happens to ${sum}: ${reason}.${stillAwaited(operation)} ${dealtWith}`,
  };
}

/** Otherwise users top up after too small an amount. */
function stillAwaited(operation: OffRamp | undefined): string {
  if (operation?.status !== 'AWAITING_DEPOSIT') return '';
  const { amount, token } = operation;
  return ` Amounts are never added up: the user still sends the whole ${amount} ${token} in one transfer, from the declared wallet.`;
}

/** What happens to the credited deposit of an operation that was not paid out. */
export function owedNextStep({ amount, token }: OffRamp): NextStep {
  return {
    who: 'FINANCE',
    what: `Decides what happens to the deposit of ${amount} ${token}: it was credited, but not paid out. When that is done, and the deposit is owed for 24 hours: settle-deposit, returned or kept.`,
  };
}

function takenBack(operation: OffRamp | undefined): string {
  const what = 'It was credited, but is no longer final';
  if (operation === undefined || operation.status === 'PENDING')
    return `${what}: stops the payout, and asks the custodian about it.`;
  return isOwed(operation)
    ? `${what}. Nothing was paid out, and nothing is owed meanwhile: asks the custodian about it.`
    : `${what}, and it was paid out: recovers the payout, and asks the custodian about the deposit.`;
}

/** Why a deposit waits for nobody, whatever its status. */
function endOf({ leftOut, unmatched, settled }: Deposit): string | undefined {
  if (settled !== undefined) return `It is settled: ${settled.outcome}, at ${settled.at}.`;
  return leftOut !== undefined && unmatched === undefined ? `It is left out: ${leftOut}.` : undefined;
}

/** A deposit of an operation without a reason is in a transaction that funds another client's operation. */
function why({ operationId, leftOut, reasons = [] }: Deposit): string {
  if (leftOut === 'TOO_MANY') return 'its address has so many other deposits that its client was not told';
  if (operationId === undefined) return 'it went to a shared account without a known tag; find its owner';
  return reasons.length === 0 ? 'its transaction funds an operation of another client' : reasons.join(', ');
}
