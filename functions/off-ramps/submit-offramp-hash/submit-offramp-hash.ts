import * as z from 'zod/mini';
import type { CountCall } from '#shared/clients/daily-allowances.ts';
import { normaliseTransactionHash, transactionHashFormat } from '#shared/networks/network.ts';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { submitOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import { type OffRamp, windowEndFor } from '#shared/off-ramps/model/off-ramp.ts';
import { earlierAttempt } from '#shared/off-ramps/model/poll-schedule.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import type { FurtherReports, HashSearches, RefusedReports } from '#shared/off-ramps/store/hash-searches.ts';
import type { OffRampState, OffRamps } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { ownedOffRamp } from '#shared/off-ramps/store/owned-off-ramp.ts';
import {
  AttemptRefused,
  asAttemptError,
  type BeginAttempt,
  refuseTooManyAttempts,
} from '#shared/off-ramps/transitions/begin-attempt.ts';
import {
  type RestartOverdue,
  type StartExecution,
  startOrLogFailure,
} from '#shared/off-ramps/transitions/verification-executions.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError, dailyLimitReached, invalid } from '#shared/platform/http/api-error.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { describe, log } from '#shared/platform/logger.ts';

interface Dependencies {
  readonly operations: Pick<OffRamps, 'findWithVerification'>;
  readonly countCall: CountCall;
  readonly beginAttempt: BeginAttempt;
  readonly hashSearches: Pick<HashSearches, 'start'>;
  readonly furtherReports: FurtherReports;
  readonly refusedReports: RefusedReports;
  readonly startExecution: StartExecution;
  readonly restartOverdue: RestartOverdue;
  readonly clock: Clock;
  /** Seconds that the window of a submission after `expiresAt` lasts. */
  readonly lateWindowSeconds: number;
}

/** A poll this late means that its execution never started or died: this call restarts it, before the sweep does. */
const OVERDUE_SECONDS = 10;

/** Milliseconds. If the next poll is further away than this, a repeated report also starts a search. */
const SOON = 60_000;

export function submitOfframpHash(deps: Dependencies): UseCase<typeof submitOfframpHashContract> {
  return async ({ clientId, path, body }) => {
    const owned = () => ownedOffRamp(deps.operations, clientId, path);
    const first = await owned();
    const { operation } = first;
    const txHash = parseHash(operation, body().txHash);
    const count = once(() => deps.countCall(clientId));
    try {
      const report = { txHash, after: operation.attempt, count };
      let read: OffRampState | undefined = first;
      await retryOnConflict(deps.clock, async () => {
        const state = read ?? (await owned());
        read = undefined;
        await ensureAttempt(deps, state, report);
      });
    } catch (error) {
      if (error instanceof AttemptRefused && error.reason === 'DECLARED_ELSEWHERE') {
        await orUnavailable(() => searchForLostReport(deps, operation, txHash));
      } else if (error instanceof ApiError && error.code === 'OPERATION_NOT_AWAITING_DEPOSIT') {
        if (txHash !== operation.verifiedTxHash)
          await orUnavailable(() => searchForAnotherReport(deps, operation, { txHash, count }));
      }
      throw asAttemptError(error);
    }
    return { body: { operationId: operation.operationId, txHash, status: 'VERIFYING' } };
  };
}

/** Runs the work only once, so that a report is counted once, however often its write is retried. */
function once<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | undefined;
  return () => {
    done ??= work();
    return done;
  };
}

function parseHash(operation: OffRamp, text: string): string {
  const txHash = normaliseTransactionHash(operation.network, text);
  if (txHash !== undefined) return txHash;
  throw invalid({
    path: 'body.txHash',
    code: 'INVALID_FORMAT',
    message: `must be a transaction hash of ${operation.network}: ${transactionHashFormat(operation.network)}`,
  });
}

/** Answers 503 if the search fails, so that the client repeats its report: only a searched hash may be refused. */
async function orUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw new ApiError(apiErrors.SERVICE_UNAVAILABLE, { retryAfterSeconds: 1, cause: error });
  }
}

/**
 * Searches for a hash that another operation has declared. The deposit's own data decide its owner, so it gains nothing
 * to declare a stranger's hash first, even if the custodian's notification is lost.
 */
async function searchForLostReport(
  { hashSearches, refusedReports, clock }: Dependencies,
  operation: OffRamp,
  txHash: string,
) {
  const { clientId, network } = operation;
  const now = clock.now();
  await hashSearches.start({ clientId, network, txHash }, now);
  await refusedReports.count(clientId, now);
}

/**
 * Searches, a few times a day, for a hash whose report begins no attempt: the hash of a late or second transfer
 * (decisions.md 4, A report after the end), or the hash being verified when its next poll is far away (Resubmitting). A
 * report without a search is not counted, so a client that keeps repeating one report has reports left for its other
 * off-ramps.
 */
async function searchForAnotherReport(
  { hashSearches, furtherReports, clock }: Dependencies,
  operation: OffRamp,
  { txHash, count }: Pick<Report, 'txHash' | 'count'>,
  countedAs: string = operation.operationId,
) {
  const { clientId, network } = operation;
  const now = clock.now();
  if (!(await furtherReports.maySearch(countedAs, now)) || !(await count())) return;
  await hashSearches.start({ clientId, network, txHash }, now);
}

/**
 * Searches for the hash that is being verified; this counts as a report. If the client has no report left for today, or
 * the search fails, the answer is the usual one, because the verification goes on.
 */
async function searchOnceMore(deps: Dependencies, operation: OffRamp, report: Report): Promise<void> {
  const { operationId } = operation;
  try {
    await searchForAnotherReport(deps, operation, report, `again#${operationId}`);
  } catch (error) {
    log.warn('HASH_NOT_SEARCHED', { operationId, cause: describe(error) });
  }
}

interface Report {
  readonly txHash: string;
  /** The number of the operation's attempt when the report came. */
  readonly after: number;
  /** False when the client has no report left for today. */
  readonly count: () => Promise<boolean>;
}

/** Makes sure that an attempt verifies the hash: the current attempt while its window is open, otherwise a new one. */
async function ensureAttempt(deps: Dependencies, state: OffRampState, report: Report): Promise<void> {
  const { operation, verification } = state;
  const { txHash, after, count } = report;
  if (operation.status !== 'AWAITING_DEPOSIT') throw new ApiError(offRampErrors.OPERATION_NOT_AWAITING_DEPOSIT);
  const now = deps.clock.now();
  if (verification?.txHash === txHash && isOpen(verification, now)) {
    await startOrLogFailure(verification, deps.restartOverdue(verification, OVERDUE_SECONDS));
    const isSoon = Date.parse(verification.nextCheckAt ?? '') - now.getTime() <= SOON;
    if (!isSoon) await searchOnceMore(deps, operation, report);
    return;
  }
  if (wasReplaced(verification, txHash, after)) return;
  refuseTooManyAttempts(operation);
  if (!(await count())) throw dailyLimitReached(now);
  const windowEndsAt = windowEndFor(operation, now, deps.lateWindowSeconds);
  const next = await deps.beginAttempt(state, { txHash, windowEndsAt });
  await startOrLogFailure(next, deps.startExecution(next));
}

/**
 * True if this report has already begun an attempt that a correction replaced since: the answer of its write was lost.
 * One report begins one attempt.
 */
function wasReplaced(verification: Verification | undefined, txHash: string, after: number): boolean {
  const earlier = z.parse(z.array(earlierAttempt), verification?.earlierAttempts ?? []);
  return earlier.some(([attempt, reported]) => attempt > after && reported === txHash);
}

/** A window is over once its last poll was made, even if a moment early. */
function isOpen({ windowEndsAt, nextCheckAt }: Verification, now: Date): boolean {
  return now.toISOString() < windowEndsAt && nextCheckAt !== undefined;
}
