import * as z from 'zod/mini';
import type { Network, NetworkRules } from '#shared/networks/network.ts';
import { type AskForTransfers, type CustodianTransfer, isReadable } from '#shared/off-ramps/custodians/custodian.ts';
import { askOrLogOutage } from '#shared/off-ramps/custodians/find-transfers.ts';
import { firstMismatch, isSentTo, judgeDeposit, nearestFirst } from '#shared/off-ramps/model/deposit-match.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import { nextPollTime, type PollAnswer, type PollOutcome } from '#shared/off-ramps/model/poll-schedule.ts';
import {
  type AttemptInput,
  attemptInput,
  type Mismatch,
  reasonsInWords,
  type VerificationReason,
} from '#shared/off-ramps/model/verification.ts';
import type { FindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import type { RememberSeen } from '#shared/off-ramps/store/deposit-repository.ts';
import type { OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import type { RecordedPoll, Verifications } from '#shared/off-ramps/store/verification-repository.ts';
import type { CreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import type { EndWindow } from '#shared/off-ramps/transitions/end-window.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';

/** The result of a poll. Finance operations read it in the output of the execution. */
export interface PollResult extends AttemptInput {
  /** Do not rename a value: running executions keep their old definition, and would end as superseded. */
  readonly outcome: PollOutcome;
  /** The result in words. */
  readonly why: string;
  readonly reason?: VerificationReason;
  readonly lastCheckedAt: string;
  readonly nextCheckAt?: string;
  /** The custodian did not know the transaction when it last answered this attempt. Input of the next poll. */
  readonly wasUnknown?: true;
}

/** The input of a poll: for the first one the input of the attempt, for a later one the result of the previous poll. */
export const pollInput = z.extend(attemptInput, {
  wasUnknown: z.optional(z.boolean()),
  lastCheckedAt: z.optional(z.string()),
});

interface Dependencies {
  readonly operations: Pick<OffRamps, 'find' | 'findWithVerification'>;
  readonly findTransfers: AskForTransfers;
  readonly findAddressOwners: FindAddressOwners;
  readonly rememberSeen: RememberSeen;
  readonly verifications: Pick<Verifications, 'recordPoll' | 'recordSuperseded'>;
  readonly endWindow: EndWindow;
  readonly creditDeposit: CreditDeposit;
  readonly networkRules: Readonly<Record<Network, NetworkRules>>;
  readonly clock: Clock;
}

/**
 * Polls the custodian once for one attempt. A matching deposit is credited even when the attempt is no longer the
 * current one: only the facts of the deposit count. Without a match, a superseded attempt ends here.
 */
export function checkDeposit(deps: Dependencies) {
  return async (event: unknown): Promise<PollResult> => {
    const { wasUnknown, lastCheckedAt, ...attempt } = pollInput.parse(event);
    // The first poll of an execution has no result of an earlier poll in its input.
    const isReported = lastCheckedAt === undefined;
    const operation = await deps.operations.find(attempt.operationId);
    if (operation === undefined) throw operationIsGone(attempt);
    if (operation.status !== 'AWAITING_DEPOSIT') return endAttempt(deps, attempt, operation);
    const outcome = await judgeAttempt(deps, { ...attempt, wasUnknown, isReported }, operation);
    if ('match' in outcome) return credit(deps, attempt, outcome.match);
    const result = await recordMismatch(deps, attempt, outcome);
    return isUnknown(result.reason, isReported || wasUnknown) ? { ...result, wasUnknown: true } : result;
  };
}

function isUnknown(reason: VerificationReason | undefined, wasUnknown: boolean | undefined): boolean {
  return reason === 'NOT_FOUND' || (reason === 'CUSTODIAN_UNAVAILABLE' && wasUnknown === true);
}

/** Anybody can send thousands of transfers to an address in one transaction. The custodian notifies of the rest. */
const MOST_REMEMBERED = 50;

interface Mismatched {
  readonly mismatch: Mismatch;
  /** The deposit to the operation's own address that the reason is about. */
  readonly seenTransferId?: string | undefined;
  /** The custodian does not want requests before this time, in seconds since 1970. */
  readonly notBefore?: number;
}

/**
 * Judges the attempt's hash by those of its transfers that the client may see. Returns the deposit that the operation
 * awaits, or why there is none.
 */
async function judgeAttempt(
  deps: Dependencies,
  attempt: AttemptInput & Pick<Parameters<AskForTransfers>[0], 'wasUnknown' | 'isReported'>,
  operation: OffRamp,
): Promise<{ readonly match: CustodianTransfer } | Mismatched> {
  const { network, txHash, operationId, wasUnknown, isReported } = attempt;
  const asker = { operationId, attempt: attempt.attempt };
  const { createdAt, clientId } = operation;
  const asked = await askOrLogOutage(deps.clock, asker, () =>
    deps.findTransfers({ network, txHash, since: createdAt, wasUnknown, isReported, reportedBy: clientId }),
  );
  const { transfers: found, notBefore, isPutOff } = asked;
  if (found === undefined)
    return { mismatch: { reason: 'CUSTODIAN_UNAVAILABLE', ...(isPutOff && { isPutOff }) }, notBefore };
  const transfers = found.filter(isReadable);
  const disclosable = await disclosableTo(operation, transfers, deps.findAddressOwners);
  const judged = judgeDeposit(operation, disclosable);
  const match = 'match' in judged ? judged.match : undefined;
  const own = disclosable.filter((transfer) => transfer !== match && isSentTo(operation, transfer));
  const nearest = nearestFirst(operation, own).slice(0, MOST_REMEMBERED);
  const unreadable = found.filter((transfer) => !isReadable(transfer)).slice(0, MOST_REMEMBERED);
  await Promise.all([...nearest, ...unreadable].map(deps.rememberSeen));
  if ('match' in judged) return judged;
  // An unreadable transfer may be the deposit.
  if (nearest.length === 0 && unreadable.length > 0) return UNANSWERED;
  return { mismatch: judged, seenTransferId: nearest[0]?.custodianTransferId };
}

const UNANSWERED: Mismatched = { mismatch: { reason: 'CUSTODIAN_UNAVAILABLE' } };

/**
 * The transfers that the client may see. Anybody can report a public hash (decisions.md 4, Reasons while not verified),
 * so a transfer to another client's address is never disclosed. Neither is a transfer whose address the custodian does
 * not know yet: it may be another client's.
 */
async function disclosableTo(
  operation: OffRamp,
  transfers: readonly CustodianTransfer[],
  findAddressOwners: FindAddressOwners,
): Promise<readonly CustodianTransfer[]> {
  const isDisclosable = async (transfer: CustodianTransfer) => {
    if (isSentTo(operation, transfer)) return true;
    const owners = await findAddressOwners(transfer);
    return owners?.every(({ clientId }) => clientId === operation.clientId) ?? false;
  };
  const disclosable = await Promise.all(transfers.map(isDisclosable));
  return transfers.filter((_, position) => disclosable[position]);
}

/** Credits the deposit. If its transaction funds another operation, only the client of both operations is told. */
async function credit(deps: Dependencies, attempt: AttemptInput, transfer: CustodianTransfer): Promise<PollResult> {
  const { operationId } = attempt;
  const crediting = await deps.creditDeposit(operationId, transfer);
  const { operation } = crediting;
  // Another record of the same movement is the deposit.
  if (crediting.outcome === 'RECORDED_TWICE')
    return recordMismatch(deps, attempt, { mismatch: { reason: 'NOT_FOUND' } });
  // The client has corrected the hash meanwhile, so this attempt is over; or the return of the deposit was requested.
  if (crediting.outcome === 'UNMATCHED') {
    return recordMismatch(deps, attempt, { mismatch: { reason: firstMismatch(crediting.reasons) ?? 'NOT_FOUND' } });
  }
  if (crediting.outcome !== 'CREDITED') await deps.rememberSeen(transfer);
  if (crediting.outcome !== 'FUNDS_ANOTHER_OPERATION') return endAttempt(deps, attempt, operation);
  const { custodianTransferId: seenTransferId } = transfer;
  if (crediting.otherClientId === operation.clientId) {
    return recordMismatch(deps, attempt, { mismatch: { reason: 'FUNDS_ANOTHER_OPERATION' }, seenTransferId });
  }
  const { verification } = (await deps.operations.findWithVerification(operationId)) ?? {};
  const isKnown = verification?.attempt === attempt.attempt && verification.calledFor === seenTransferId;
  if (!isKnown) log.error('DEPOSIT_FUNDS_ANOTHER_CLIENT', { operationId, custodianTransferId: seenTransferId });
  return recordMismatch(deps, attempt, { mismatch: { reason: 'NOT_FOUND' }, calledFor: seenTransferId });
}

/**
 * Ends the attempt of an operation that no longer awaits a deposit. The attempt is verified only if its own hash was
 * verified. Otherwise it is superseded and keeps the last reason (decisions.md 4, Superseded).
 */
async function endAttempt(
  { verifications, clock }: Dependencies,
  attempt: AttemptInput,
  { status, verifiedTxHash }: OffRamp,
): Promise<PollResult> {
  const lastCheckedAt = clock.now().toISOString();
  const why =
    verifiedTxHash === undefined
      ? `The operation is ${status}.`
      : `The custodian confirmed the deposit with ${verifiedTxHash}.`;
  if (verifiedTxHash !== attempt.txHash) {
    await verifications.recordSuperseded(attempt, lastCheckedAt);
    return { ...attempt, outcome: 'SUPERSEDED', why, lastCheckedAt };
  }
  await verifications.recordPoll(attempt, { lastCheckedAt, nextCheckAt: undefined, mismatch: undefined });
  return { ...attempt, outcome: 'DEPOSIT_VERIFIED', why, lastCheckedAt };
}

/** Records why the deposit is missing or does not match, and plans the next poll, or ends the window. */
async function recordMismatch(
  deps: Dependencies,
  attempt: AttemptInput,
  { mismatch, seenTransferId, calledFor, notBefore = 0 }: Mismatched & Pick<RecordedPoll, 'calledFor'>,
): Promise<PollResult> {
  const now = deps.clock.now();
  const lastCheckedAt = now.toISOString();
  const next = nextPollTime(
    now.getTime() / 1000,
    { startsAt: Date.parse(attempt.windowStartsAt) / 1000, endsAt: Date.parse(attempt.windowEndsAt) / 1000 },
    deps.networkRules[attempt.network].finalitySeconds,
    answerOf(mismatch.reason),
  );
  const { reason } = mismatch;
  if (next === undefined) {
    const isEnded = await deps.endWindow(attempt, { lastCheckedAt, mismatch, seenTransferId });
    return isEnded ? windowEnded(attempt, lastCheckedAt, reason) : resultOfEnded(deps, attempt, lastCheckedAt, reason);
  }
  const nextCheckAt = new Date(Math.max(next, notBefore) * 1000).toISOString();
  const poll = { lastCheckedAt, nextCheckAt, mismatch, seenTransferId, calledFor };
  const isKept = await deps.verifications.recordPoll(attempt, poll);
  return isKept
    ? { ...attempt, outcome: 'LOOK_AGAIN', why: reasonsInWords[reason], reason, lastCheckedAt, nextCheckAt }
    : resultOfEnded(deps, attempt, lastCheckedAt, reason);
}

function answerOf(reason: VerificationReason): PollAnswer {
  if (reason === 'CUSTODIAN_UNAVAILABLE') return 'NONE';
  // Only a transfer to the operation's own address gets this reason. It is stored, and then polled as a deposit.
  if (reason === 'UNCONFIRMED') return 'FOLLOWED';
  return reason === 'NOT_FOUND' ? 'NOT_FOUND' : 'FOUND';
}

function windowEnded(attempt: AttemptInput, lastCheckedAt: string, reason: VerificationReason): PollResult {
  const why = `${reasonsInWords[reason]} The window has ended; a new submission starts a new verification.`;
  return { ...attempt, outcome: 'WINDOW_ENDED', why, reason, lastCheckedAt };
}

/** The result of a poll that was not recorded, because its attempt had ended, perhaps by an earlier try of it. */
async function resultOfEnded(
  deps: Dependencies,
  attempt: AttemptInput,
  lastCheckedAt: string,
  reason: VerificationReason,
): Promise<PollResult> {
  const { operation, verification } = (await deps.operations.findWithVerification(attempt.operationId)) ?? {};
  if (operation === undefined) throw operationIsGone(attempt);
  if (operation.status !== 'AWAITING_DEPOSIT') return endAttempt(deps, attempt, operation);
  if (verification?.attempt === attempt.attempt && verification.windowStartsAt === attempt.windowStartsAt) {
    return windowEnded(attempt, verification.lastCheckedAt ?? lastCheckedAt, verification.reason ?? reason);
  }
  const why = `Attempt ${operation.attempt} verifies ${operation.txHash} now.`;
  return { ...attempt, outcome: 'SUPERSEDED', why, lastCheckedAt };
}

const operationIsGone = ({ operationId }: AttemptInput) => new Error(`Operation ${operationId} is gone.`);
