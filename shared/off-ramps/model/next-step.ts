import type * as z from 'zod/mini';
import { nextStepBy } from '#shared/platform/operators/next-step.ts';
import { describeProposals, type Proposal } from '#shared/platform/operators/proposals.ts';
import { isOwed, isPaidOut, mayPayFor, openContradictions, operationPayingFor } from './contradictions.ts';
import { type Deposit, depositStatusOf } from './deposit.ts';
import { detectedNextStep, heldNextStep } from './detected-next-step.ts';
import { hashNextStep } from './hash-next-step.ts';
import type { Contradiction, OffRamp } from './off-ramp.ts';
import { returnNextStep } from './return-next-step.ts';
import { accountInWords } from './returns.ts';
import type { Verification } from './verification.ts';

/**
 * What happens next, and who does it. SERVICE is this service, which acts automatically. PAYOUTS and COMPLIANCE are
 * other services, which report their results by events. FINANCE are the people of finance operations.
 */
export const nextStep = nextStepBy([
  'CLIENT',
  'USER',
  'CUSTODIAN',
  'FINANCE',
  'PAYOUTS',
  'COMPLIANCE',
  'SERVICE',
  'NOBODY',
]);

export type NextStep = Readonly<z.infer<typeof nextStep>>;

interface Beside {
  /** The time to which tables were restored, until the books have matched every movement out since then. */
  readonly heldSince?: string | undefined;
  /** The proposals that wait for a second person. */
  readonly proposals?: readonly Proposal[] | undefined;
}

export interface KnownOfOperation extends Beside {
  readonly operation: OffRamp;
  readonly verification: Verification | undefined;
  readonly deposits: readonly Deposit[];
  /** True if the client is approved, and so may change anything. */
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

/**
 * The step of the most urgent deposit, if any; among equally urgent ones, the first that waits for finance, with the
 * number of others that do. Unmatched deposits have their own list and come after a payout, a contradiction and an owed
 * deposit.
 */
function ofDeposits(known: KnownOfOperation): NextStep | undefined {
  const { operation, deposits } = known;
  const { status, contradictedSince } = operation;
  const pressing = status === 'AWAITING_DEPOSIT' ? (['HELD', 'DETECTED'] as const) : [];
  const isUrgent = status === 'PENDING' || contradictedSince !== undefined || isOwed(operation);
  const unmatched = isUrgent ? [] : (['UNMATCHED', 'RETURN_REQUESTED'] as const);
  const open = deposits.filter(({ settled }) => settled === undefined);
  for (const wanted of [['REVERSED'], ...pressing.map((one) => [one]), unmatched]) {
    const found = wanted.flatMap((state) => open.filter((one) => depositStatusOf(one) === state));
    const steps = found.map((one) => depositNextStep(one, operation, known));
    const [forFinance, ...others] = steps.filter(({ who }) => who === 'FINANCE');
    if (forFinance !== undefined && others.length > 0)
      return {
        ...forFinance,
        what: `${forFinance.what} Deposits of it that wait for finance besides: ${others.length}.`,
      };
    const step = forFinance ?? steps[0];
    if (step !== undefined) return step;
  }
  return undefined;
}

const PAYS = 'Reviews and pays out; its event completes or ends the operation.';
const PAID_BEFORE = 'Sends COMPLETED once more, which ends it, and pays nothing: it was found to be paid out.';

function ofStatus(known: KnownOfOperation): NextStep {
  const { operation, verification, now } = known;
  const { status, verifiedTxHash, paidOut } = operation;
  switch (status) {
    case 'AWAITING_DEPOSIT':
      return verification === undefined ? beforeReport(operation, now) : hashNextStep(verification, now);
    case 'PENDING':
      return { who: 'PAYOUTS', what: paidOut === true ? PAID_BEFORE : PAYS };
    case 'COMPLETED':
      return isOwed(operation) ? ofOwed(known) : { who: 'NOBODY', what: 'It was paid out.' };
    default:
      if (paidOut === true) return { who: 'NOBODY', what: 'It was paid out, whatever its status.' };
      return verifiedTxHash === undefined
        ? { who: 'NOBODY', what: 'It ended without a deposit. A later deposit is kept as unmatched.' }
        : ofOwed(known);
  }
}

/** The step of an owed deposit. If the deposit is already settled or sent back, nobody has to return it. */
function ofOwed(known: KnownOfOperation): NextStep {
  const { operation, deposits } = known;
  const deposit = deposits.find(({ creditedAt }) => creditedAt !== undefined);
  return deposit === undefined ? owedNextStep(operation) : depositNextStep(deposit, operation, known);
}

function beforeReport(operation: OffRamp, now: Date): NextStep {
  const { amount, token, network, address, addressTag: tag, expiresAt, endsAt } = operation;
  const what = `Sends ${amount} ${token} on ${network} to ${accountInWords({ address, tag })} from the declared wallet.`;
  return now.toISOString() < expiresAt
    ? { who: 'USER', what: `${what} It is detected without a report.` }
    : {
        who: 'CLIENT',
        what: `Cancels it, or reports the hash: it has expired, but a deposit is still detected until it ends at ${endsAt}. ${what}`,
      };
}

/** What a person has to find out while a contradiction is open. */
export function contradictionNextStep(operation: OffRamp): NextStep | undefined {
  const { operationId, status, sequence, contradictedSince } = operation;
  if (contradictedSince === undefined) return undefined;
  const said = new Set(openContradictions(operation).map((one) => inWords(operation, one)));
  return {
    who: 'FINANCE',
    what: `${[...said].join('; ')}${said.size === 0 ? 'More contradictions were sent than are kept' : ''}, and it is ${status}. Finds out whether the user has the money, and returns nothing before that; then: resolve-contradiction ${operationId} paid ${sequence}, or not-paid ${sequence}.`,
  };
}

function inWords({ status }: OffRamp, { status: said, source, payout }: Contradiction): string {
  const which = payout?.reference === undefined ? '' : ` (${payout.reference})`;
  switch (said) {
    case 'COMPLETED':
      return `Payouts reports that it was paid${status === 'COMPLETED' ? ' a second time' : ''}${which}`;
    case 'PAYOUT_RETURNED':
      return `Payouts reports that the payout came back${which}`;
    case 'CANCELLED':
      return `${source} reports a cancellation after the payout`;
    case 'FAILED':
      return `${source} reports a failure after the payout`;
  }
}

/**
 * What happens next with a deposit, and who does it. `operation` is that of the deposit's address. If something is
 * proposed, another person confirms it, and no other command is suggested.
 */
export function depositNextStep(
  deposit: Deposit,
  operation: OffRamp | undefined,
  { heldSince, proposals = [] }: Beside = {},
): NextStep {
  const { custodianTransferId, sequence = 0, settled, owedSince } = deposit;
  const isPlacedBy = depositStatusOf(deposit) === 'CREDITED' ? { owedSince } : {};
  const seen = { sequence, settledAt: settled?.at, ...isPlacedBy };
  const proposed = describeProposals(proposals, custodianTransferId, seen);
  const step = ofDeposit(deposit, operation, heldSince, proposed !== undefined);
  return proposed === undefined ? step : { who: 'FINANCE', what: `${step.what} ${proposed}` };
}

function ofDeposit(
  deposit: Deposit,
  operation: OffRamp | undefined,
  heldSince: string | undefined,
  isProposed: boolean,
): NextStep {
  const { nextPollAt } = deposit;
  const over = endOf(deposit);
  if (over !== undefined) return { who: 'NOBODY', what: over };
  const at = nextPollAt === undefined ? {} : { at: nextPollAt };
  const funded = deposit.creditedAt === undefined ? undefined : operation;
  const contradiction = funded && contradictionNextStep(funded);
  switch (depositStatusOf(deposit)) {
    case undefined:
      return { who: 'SERVICE', what: 'Asks the custodian for the notified transfer.', ...at };
    case 'DETECTED':
      return { ...detectedNextStep(deposit), ...at };
    case 'HELD':
      return { ...heldNextStep(deposit), ...at };
    case 'CREDITED':
      if (contradiction !== undefined) return contradiction;
      return funded !== undefined && isOwed(funded)
        ? owedNextStep(funded, isProposed)
        : { who: 'NOBODY', what: 'It funds its operation.' };
    case 'UNMATCHED':
      return deposit.transfer?.state === 'CONFIRMED'
        ? unmatchedNextStep(deposit, operation, isProposed)
        : { ...detectedNextStep(deposit), ...at };
    case 'FAILED':
      return { who: 'NOBODY', what: 'It failed on its network, or is gone from it: nothing has arrived.' };
    case 'RETURN_REQUESTED':
    case 'RETURNED':
      return returnNextStep(deposit, operation && hindranceOf(operation, deposit), heldSince);
    case 'REVERSED':
      return {
        who: 'FINANCE',
        what: contradiction === undefined ? takenBack(funded) : `It was taken back. ${contradiction.what}`,
        ...at,
      };
  }
}

/** Why the off-ramp of a deposit forbids sending it back. */
function hindranceOf(operation: OffRamp, deposit: Deposit): string | undefined {
  const paid = isPaidOut(operation) ? 'Its off-ramp was paid out.' : undefined;
  return mayPayFor(operation, deposit) ? (contradictionNextStep(operation)?.what ?? paid) : undefined;
}

/** The step of an unmatched deposit. Its operation may have been paid out although no deposit was credited. */
function unmatchedNextStep(deposit: Deposit, operation: OffRamp | undefined, isProposed: boolean): NextStep {
  const { transfer } = deposit;
  const [sum, reason] = [`${transfer?.amount} ${transfer?.assetId}`, why(deposit)];
  const offRamp = operationPayingFor(operation, deposit);
  const contradiction = offRamp && contradictionNextStep(offRamp);
  if (contradiction !== undefined)
    return { who: 'FINANCE', what: `${sum} funds nothing: ${reason}. Of its off-ramp: ${contradiction.what}` };
  const dealtWith =
    offRamp?.paidOut === true
      ? ' Its off-ramp was paid out, so nothing is returned: settle-deposit, kept.'
      : `${byHand(deposit)} To send it back: request-return. If it is kept: settle-deposit.`;
  return {
    who: 'FINANCE',
    what: `Decides what happens to ${sum}: ${reason}.${stillAwaited(operation)}${isProposed ? '' : dealtWith}`,
  };
}

/** Suggests a credit by hand, if the token, network and amount are right and only the owner is in doubt. */
function byHand({ operationId, reasons = [] }: Deposit): string {
  const mayFit = ['WRONG_SENDER', 'OPERATION_ENDED', 'ALREADY_FUNDED'];
  if (operationId === undefined || reasons.length === 0 || !reasons.every((one) => mayFit.includes(one))) return '';
  return ' If an off-ramp of the user awaits exactly this: credit-deposit.';
}

/** Says that the whole amount is still awaited: otherwise users top up after too small an amount. */
function stillAwaited(operation: OffRamp | undefined): string {
  if (operation?.status !== 'AWAITING_DEPOSIT') return '';
  const { amount, token } = operation;
  return ` Amounts are never added up: the user still sends the whole ${amount} ${token} in one transfer, from the declared wallet.`;
}

/** What happens next with the credited deposit of an operation that was not paid out. */
function owedNextStep({ amount, token, status }: OffRamp, isProposed = false): NextStep {
  const since = status === 'COMPLETED' ? '' : ', 24 hours after its end';
  const options = ` To send it back${since}: request-return, with --payout-never-made yes. If it is kept, once it is owed for 24 hours: settle-deposit.`;
  return {
    who: 'FINANCE',
    what: `Decides what happens to the deposit of ${amount} ${token}: it was credited, but not paid out.${isProposed ? '' : options}`,
  };
}

function takenBack(operation: OffRamp | undefined): string {
  const what = 'It was credited, but is no longer final';
  if (operation === undefined || operation.status === 'PENDING')
    return `${what}: stops the payout, and asks the custodian about it.`;
  return isOwed(operation)
    ? `${what}. Nothing was paid out, and nothing is owed meanwhile: asks the custodian about it. If it is gone for good: settle-deposit as written-off.`
    : `${what}, and it was paid out: recovers the payout, and asks the custodian about the deposit. What is lost: settle-deposit as written-off.`;
}

/** Why nobody has to act on a deposit, whatever its status. A deposit that is TOO_MANY is listed like others. */
function endOf({ ignoredReason, unmatched, settled, return: frozen }: Deposit): string | undefined {
  if (settled !== undefined) return `It is settled: ${settled.outcome}, at ${settled.at}.`;
  if (ignoredReason === undefined || ignoredReason === 'TOO_MANY') return undefined;
  if (unmatched !== undefined || frozen !== undefined) return undefined;
  return `It is left out: ${ignoredReason}.`;
}

/** Why it is unmatched. With an operation and no reasons, its transaction funds another client's operation. */
function why({ operationId, ignoredReason, reasons = [] }: Deposit): string {
  if (ignoredReason === 'TOO_MANY') return 'its address has so many other deposits that its client was not told';
  if (operationId === undefined)
    return 'it went to a shared account without a known tag; find its owner, and credit-deposit credits it';
  return reasons.length === 0 ? 'its transaction funds an operation of another client' : reasons.join(', ');
}
