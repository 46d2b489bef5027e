import { createHash } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { IdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { ApiError, type FieldError, invalid } from './api-error.ts';
import type { HttpRequest } from './event.ts';
import type { MadeOnce } from './use-case.ts';
import { validate } from './validation.ts';

/** How long the first answer is replayed (decisions.md 5, Same request twice). */
const REPLAY_SECONDS = 24 * 3600;

/** Longer than any function of the API may run: an older lock belongs to a call that died. */
const LOCK_SECONDS = 30;

const idempotencyKey = z.string().check(z.regex(/^[\x20-\x7e]{1,255}$/, 'must be 1 to 255 printable ASCII characters'));

const TWO_KEYS: FieldError = { path: 'header.Idempotency-Key', code: 'REPEATED', message: 'must be given once' };

interface KeyedCall {
  readonly clientId: string;
  /** Path parameters as the contract parses them: an id in another letter case is the same id. */
  readonly path: unknown;
  readonly http: Pick<HttpRequest, 'headers' | 'repeatedHeaders' | 'route'>;
}

interface Replayable<Answer> extends MadeOnce {
  readonly body: Answer;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates the resource with this id. A later try looks for the resource before it checks the request: an earlier try
 * may have created it when the rules still allowed it (decisions.md 5, A repeat under a key).
 */
type Create<Answer> = (id: string, isFirstTry: boolean) => Promise<Answer>;

/**
 * Runs a creation once per `Idempotency-Key` of a client, method and path. The id of the future resource is stored with
 * the key before the work begins, and passed to it, so that a repeat after a crash finishes the first creation instead
 * of making a second one. A refused creation may be tried again under the same key.
 *
 * @throws {ApiError} IDEMPOTENCY_KEY_REUSED, IDEMPOTENCY_IN_PROGRESS, VALIDATION_FAILED
 */
export function createRunIdempotently(records: IdempotencyRecords, clock: Clock, newId: () => string) {
  return async <Answer>(call: KeyedCall, body: unknown, create: Create<Answer>): Promise<Replayable<Answer>> => {
    const key = keyOf(call);
    if (key === undefined) return { body: await create(newId(), true), isMadeOnce: true };
    const scopeDigest = digest([call.clientId, call.http.route, call.path, key]);
    const seconds = Math.floor(clock.now().getTime() / 1000);
    const record = await records.claim({
      scopeDigest,
      requestDigest: digest(body),
      resourceId: newId(),
      now: seconds,
      lockedUntil: seconds + LOCK_SECONDS,
      expiresAt: seconds + REPLAY_SECONDS,
    });
    if (record.state === 'OTHER_REQUEST') throw new ApiError(apiErrors.IDEMPOTENCY_KEY_REUSED);
    if (record.state === 'LOCKED') throw new ApiError(apiErrors.IDEMPOTENCY_IN_PROGRESS, { retryAfterSeconds: 1 });
    if (record.state === 'ANSWERED') {
      return { body: JSON.parse(record.answer), headers: { 'Idempotency-Replayed': 'true' }, isMadeOnce: true };
    }
    const held = { scopeDigest, claimToken: record.claimToken };
    try {
      const answer = await create(record.resourceId, record.isFirstTry);
      await records.answer(held, JSON.stringify(answer));
      return { body: answer, isMadeOnce: true };
    } catch (error) {
      const nothingWasMade = record.isFirstTry && error instanceof ApiError && error.status < 500;
      await (nothingWasMade ? records.forget(held) : records.unlock(held));
      throw error;
    }
  };
}

export type RunIdempotently = ReturnType<typeof createRunIdempotently>;

/** @throws {ApiError} VALIDATION_FAILED */
function keyOf({ http }: KeyedCall): string | undefined {
  // With two keys, a repeat through another proxy may arrive with the other key.
  if (http.repeatedHeaders.has('idempotency-key')) throw invalid(TWO_KEYS);
  const header = http.headers.get('idempotency-key');
  if (header === undefined) return undefined;
  const named = validate(z.object({ 'Idempotency-Key': idempotencyKey }), { 'Idempotency-Key': header }, 'header');
  return named['Idempotency-Key'];
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}
