import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { offRampErrors } from '#shared/off-ramps/contract/off-ramp-contract.ts';
import type { OffRamp } from '#shared/off-ramps/model/off-ramp.ts';
import type { EarlierAttempt } from '#shared/off-ramps/model/poll-schedule.ts';
import type { Verification } from '#shared/off-ramps/model/verification.ts';
import { checkUnfunded, declareHash, releaseDeclaration } from '#shared/off-ramps/store/claims.ts';
import { operationEvents, writeWithEvents } from '#shared/off-ramps/store/off-ramp-event-records.ts';
import { type OffRampState, recordHash } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { putVerification } from '#shared/off-ramps/store/verification-repository.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { WriteConflict } from '#shared/platform/dynamodb/transaction.ts';
import { ApiError } from '#shared/platform/http/api-error.ts';
import type { ErrorKind } from '#shared/platform/http/api-errors.ts';

/** The most attempts of one operation (decisions.md 4, Resubmitting). */
const MOST_ATTEMPTS = 100;

/** The hash gets no further attempt. */
export class AttemptRefused extends Error {
  override readonly name = 'AttemptRefused';
  /** `DECLARED_ELSEWHERE`: another operation has only declared the hash; the owner of the deposit is still open. */
  readonly reason: 'TOO_MANY_ATTEMPTS' | 'FUNDS_ANOTHER' | 'DECLARED_ELSEWHERE';

  constructor(reason: AttemptRefused['reason']) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Starts the next attempt of an operation in one transaction: it claims and records the hash, a correction releases the
 * previous claim, and the attempt's first poll is due at once.
 *
 * @throws {WriteConflict} when the operation changed after it was read. @throws {AttemptRefused}
 */
export function createBeginAttempt(
  dynamo: DynamoDBDocumentClient,
  tables: { readonly operations: string; readonly hashes: string; readonly events: string },
  clock: Clock,
) {
  return async (
    { operation: seen, verification: before }: OffRampState,
    { txHash, windowEndsAt }: Pick<Verification, 'txHash' | 'windowEndsAt'>,
  ): Promise<Verification> => {
    refuseTooManyAttempts(seen);
    const now = clock.now();
    const { operationId, clientId, amount, token, network } = seen;
    const startsAt = now.toISOString();
    const verification: Verification = {
      operationId,
      // A restore may have kept only half of the last submission: take the higher of the two numbers.
      attempt: Math.max(seen.attempt, before?.attempt ?? 0) + 1,
      run: 1,
      clientId,
      amount,
      token,
      network,
      txHash,
      windowStartsAt: startsAt,
      windowEndsAt,
      nextCheckAt: startsAt,
      ...(before && { earlierAttempts: [...(before.earlierAttempts ?? []), toEarlierAttempt(before)] }),
    };
    const after: OffRamp = { ...seen, txHash, attempt: verification.attempt, sequence: seen.sequence + 1 };
    const lost = await writeWithEvents(dynamo, {
      operation: recordHash(tables.operations, seen, verification),
      declared: declareHash(tables.hashes, txHash, operationId),
      unfunded: checkUnfunded(tables.hashes, txHash),
      ...releaseDeclaration(tables.hashes, seen, txHash),
      verification: putVerification(tables.operations, verification, before),
      ...operationEvents({ table: tables.events, now }, seen, after),
    });
    if (lost.size === 0) return verification;
    if (lost.has('operation')) throw new WriteConflict('operation');
    if (lost.has('unfunded')) throw new AttemptRefused('FUNDS_ANOTHER');
    if (lost.has('declared')) throw new AttemptRefused('DECLARED_ELSEWHERE');
    throw new WriteConflict([...lost].join());
  };
}

/** @throws {AttemptRefused} when the operation has no attempt left */
export function refuseTooManyAttempts({ attempt }: Pick<OffRamp, 'attempt'>): void {
  if (attempt >= MOST_ATTEMPTS) throw new AttemptRefused('TOO_MANY_ATTEMPTS');
}

function toEarlierAttempt({ attempt, txHash, nextCheckAt, lastCheckedAt, reason }: Verification): EarlierAttempt {
  const outcome = nextCheckAt === undefined ? 'WINDOW_ENDED' : 'SUPERSEDED';
  const isPolled = lastCheckedAt !== undefined;
  return isPolled ? [attempt, txHash, outcome, lastCheckedAt, reason] : [attempt, txHash, outcome];
}

export type BeginAttempt = ReturnType<typeof createBeginAttempt>;

const kinds = {
  TOO_MANY_ATTEMPTS: offRampErrors.TOO_MANY_ATTEMPTS,
  FUNDS_ANOTHER: offRampErrors.TX_HASH_ALREADY_DECLARED,
  DECLARED_ELSEWHERE: offRampErrors.TX_HASH_ALREADY_DECLARED,
} satisfies Record<AttemptRefused['reason'], ErrorKind>;

/** The API error for an attempt that did not begin; any other error is returned unchanged. */
export function asAttemptError(error: unknown): unknown {
  return error instanceof AttemptRefused ? new ApiError(kinds[error.reason]) : error;
}
