import { isOwed, mayBePaidFor } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { NextStep } from '#shared/operators/next-step.ts';
import { contradictionNextStep } from './contradiction-next-step.ts';

/** What happens next with a deposit, and who does it; `operation` is the one whose address it was sent to. */
export function depositNextStep(deposit: Deposit, operation: OffRamp | undefined): NextStep {
  const { transfer, unmatched, nextPollAt } = deposit;
  const over = endOf(deposit);
  if (over !== undefined) return { who: 'NOBODY', what: over };
  const at = nextPollAt === undefined ? {} : { at: nextPollAt };
  const funded = operation?.operationId === deposit.creditedTo ? operation : undefined;
  const contradiction = funded && contradictionNextStep(funded);
  switch (depositStatusOf(deposit)) {
    case undefined:
      return { who: 'SERVICE', what: 'Asks the custodian for the transfer that it has notified.', ...at };
    case 'DETECTED':
      return unmatched === undefined
        ? { who: 'SERVICE', what: `Waits until it is final; it has ${transfer?.confirmations} confirmations.`, ...at }
        : { who: 'FINANCE', what: 'Asks the custodian: it is not final 14 days after it was last notified.', ...at };
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

/** Its operation may have been paid out although it never had this deposit, or any. */
function unmatchedNextStep(deposit: Deposit, operation: OffRamp | undefined): NextStep {
  const { transfer, custodianTransferId } = deposit;
  const [sum, reason] = [`${transfer?.amount} ${transfer?.assetId}`, why(deposit)];
  const paidFor = operation && mayBePaidFor(operation, custodianTransferId) ? operation : undefined;
  const contradiction = paidFor && contradictionNextStep(paidFor);
  if (contradiction !== undefined)
    return { who: 'FINANCE', what: `${sum} funds nothing: ${reason}. Of its off-ramp: ${contradiction.what}` };
  const dealtWith =
    paidFor?.paidOut === true
      ? 'Its off-ramp was paid out, so nothing is given back. Once it is dealt with: settle-deposit, kept.'
      : 'Once it is dealt with: settle-deposit, returned or kept.';
  return {
    who: 'FINANCE',
    what: `Decides what happens to ${sum}: ${reason}.${stillAwaited(operation)} ${dealtWith}`,
  };
}

/** Users top up when they hear that it was too little. */
function stillAwaited(operation: OffRamp | undefined): string {
  if (operation?.status !== 'AWAITING_DEPOSIT') return '';
  const { amount, token } = operation;
  return ` Amounts are not added up: the user still sends the whole ${amount} ${token} in one transfer, from the declared wallet.`;
}

/** What happens to the credited deposit of an operation that was not paid out. */
export function owedNextStep({ amount, token }: OffRamp): NextStep {
  return {
    who: 'FINANCE',
    what: `Decides what happens to the deposit of ${amount} ${token}: it was credited, and not paid out. Once it is dealt with, and owed for 24 hours: settle-deposit, returned or kept.`,
  };
}

function takenBack(operation: OffRamp | undefined): string {
  const what = 'It was credited, and is not final any more';
  if (operation === undefined || operation.status === 'PENDING')
    return `${what}: stops the payout, and asks the custodian what happens to it.`;
  return isOwed(operation)
    ? `${what}. Nothing was paid out, and nothing is owed meanwhile: asks the custodian what happens to it.`
    : `${what}, and it was paid out: recovers what was paid, and asks the custodian what happens to it.`;
}

/** Of one that waits for nobody, whatever its status: why. */
function endOf({ leftOut, unmatched, settled }: Deposit): string | undefined {
  if (settled !== undefined) return `It is settled: ${settled.outcome}, at ${settled.at}.`;
  return leftOut !== undefined && unmatched === undefined ? `It is left out: ${leftOut}.` : undefined;
}

/** A deposit of an operation that has no reason is in a transaction that funds an operation of another client. */
function why({ operationId, leftOut, reasons = [] }: Deposit): string {
  if (leftOut === 'TOO_MANY') return 'its address has had so many others that its client has not heard of it';
  if (operationId === undefined)
    return 'it is to an account that operations share, without a tag that is known; find whose it is';
  return reasons.length === 0 ? 'its transaction funds an operation of another client' : reasons.join(', ');
}
