import { isOwed } from '#shared/off-ramps/model/contradictions.ts';
import { type Deposit, depositStatusOf } from '#shared/off-ramps/model/deposit.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import type { NextStep } from '#shared/operators/next-step.ts';
import { contradictionNextStep } from './contradiction-next-step.ts';
import { depositNextStep, owedNextStep } from './deposit-next-step.ts';
import { hashNextStep } from './hash-next-step.ts';

export interface KnownOfOperation {
  readonly operation: OffRamp;
  readonly verification: Verification | undefined;
  readonly deposits: readonly Deposit[];
  /** Whether the client may change anything. */
  readonly isApproved: boolean;
  readonly now: Date;
}

/**
 * What happens next with an off-ramp, and who does it. Money that has arrived comes before money that is awaited, and a
 * contradicted payout before unmatched deposits.
 */
export function operationNextStep(known: KnownOfOperation): NextStep {
  const step = ofDeposits(known) ?? contradictionNextStep(known.operation) ?? ofStatus(known);
  if (step.who !== 'CLIENT' || known.isApproved) return step;
  return {
    ...step,
    who: 'COMPLIANCE',
    what: `The client is not approved, so it cannot go on. Once it is: ${step.what}`,
  };
}

/** By urgency. An unmatched deposit delays no payout: it has its own list. */
function ofDeposits({ operation, deposits }: KnownOfOperation): NextStep | undefined {
  const { status, contradictedSince } = operation;
  const pressing = status === 'AWAITING_DEPOSIT' ? (['HELD', 'DETECTED'] as const) : [];
  const isUrgent = status === 'PENDING' || contradictedSince !== undefined || isOwed(operation);
  const unmatched = isUrgent ? [] : (['UNMATCHED'] as const);
  for (const wanted of ['REVERSED', ...pressing, ...unmatched] as const) {
    const found = deposits.find((one) => one.settled === undefined && depositStatusOf(one) === wanted);
    if (found !== undefined) return depositNextStep(found, operation);
  }
  return undefined;
}

function ofStatus(known: KnownOfOperation): NextStep {
  const { operation, verification, now } = known;
  const { status, verifiedTxHash, paidOut } = operation;
  switch (status) {
    case 'AWAITING_DEPOSIT':
      return verification === undefined ? beforeReport(operation, now) : hashNextStep(verification, now);
    case 'PENDING':
      return { who: 'PAYOUTS', what: 'Reviews and pays out; its event completes or ends the operation.' };
    case 'COMPLETED':
      return isOwed(operation) ? ofOwed(known) : { who: 'NOBODY', what: 'It was paid out.' };
    default:
      if (paidOut === true) return { who: 'NOBODY', what: 'It was paid out, whatever its status.' };
      return verifiedTxHash === undefined
        ? { who: 'NOBODY', what: 'It ended without a deposit. A later deposit is kept as unmatched.' }
        : ofOwed(known);
  }
}

/** If its deposit is already settled, nobody returns it again. */
function ofOwed({ operation, deposits }: KnownOfOperation): NextStep {
  const deposit = deposits.find(({ creditedTo }) => creditedTo === operation.operationId);
  return deposit?.settled === undefined ? owedNextStep(operation) : depositNextStep(deposit, operation);
}

function beforeReport({ amount, token, network, address, expiresAt, endsAt }: OffRamp, now: Date): NextStep {
  const what = `Sends ${amount} ${token} on ${network} to ${address} from the declared wallet.`;
  return now.toISOString() < expiresAt
    ? { who: 'USER', what: `${what} It is detected without a report.` }
    : {
        who: 'CLIENT',
        what: `Cancels it, or reports the hash: it has expired, but a deposit is still detected until it ends at ${endsAt}. ${what}`,
      };
}
