import { isTransient } from '#shared/platform/aws/aws-clients.ts';
import { Unavailable } from '#shared/platform/retry.ts';
import { apiErrors, type ErrorKind } from './api-errors.ts';
import type { Access } from './contract.ts';

/** One value of the request that is not valid. */
export interface FieldError {
  /** Path of the value, starting with `body`, `path`, `query` or `header`: `body.amount`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

type Ids = Readonly<Record<string, string>>;

/** Further members of the problem. */
type About = Readonly<Record<string, string | readonly string[]>>;

interface ApiErrorOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly about?: About;
  readonly ids?: Ids;
  readonly cause?: unknown;
}

/** Thrown wherever a request cannot be served; mapped to a problem body in one place. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /**
   * Further members of the problem body, such as the id of a resource that a failed creation made nevertheless, or the
   * reasons of a refusal.
   */
  readonly about: About | undefined;
  /** Ids for the log line of the request only. */
  readonly ids: Ids | undefined;

  constructor(kind: ErrorKind, options: ApiErrorOptions = {}) {
    super(options.detail ?? kind.detail, { cause: options.cause });
    this.kind = kind;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.about = options.about;
    this.ids = options.ids;
  }

  get code(): string {
    return this.kind.code;
  }

  get status(): number {
    return this.kind.status;
  }
}

/** The error for invalid values: 422 with an entry for each. */
export function invalid(...errors: readonly FieldError[]): ApiError {
  return new ApiError(apiErrors.VALIDATION_FAILED, { errors });
}

/** Turns any error into the API error that the request ends with: the code below the use cases does not know HTTP. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const isUnavailable = error instanceof Unavailable;
  return isUnavailable || (error instanceof Error && isTransient(error.name))
    ? new ApiError(apiErrors.SERVICE_UNAVAILABLE, {
        retryAfterSeconds: Math.ceil((isUnavailable ? error.retryAfter : undefined) ?? 1),
        cause: error,
      })
    : new ApiError(apiErrors.INTERNAL_ERROR, { cause: error });
}

/**
 * Why a client's call fails without a fault of the service: a provider refuses it, or the client's other calls conflict
 * with it. `undefined` for any other failure.
 */
export function declineReason(access: Access, { code, status, cause }: ApiError): string | undefined {
  if (!access.endsWith('client')) return undefined;
  // A provider has refused the call.
  if (status === 502) return code;
  return cause instanceof Unavailable ? cause.declinedFor : undefined;
}

/** Texts for operators, in place of those that tell a client how to repeat a creation. */
const toOperators: ReadonlyMap<ErrorKind, string> = new Map([
  [apiErrors.INTERNAL_ERROR, 'The service failed. Its logs have the cause, under the id of the request.'],
  [apiErrors.SERVICE_UNAVAILABLE, 'The service cannot answer at the moment. Repeat the request after a pause.'],
]);

/** The error with the text for this caller; an error with a text of its own keeps it. */
export function errorForCaller(access: Access, error: ApiError): ApiError {
  const { kind, message, retryAfterSeconds, ids, cause } = error;
  const detail = access === 'operator' && message === kind.detail ? toOperators.get(kind) : undefined;
  if (detail === undefined) return error;
  const others = { ...(retryAfterSeconds !== undefined && { retryAfterSeconds }), ...(ids && { ids }) };
  return new ApiError(kind, { detail, cause, ...others });
}

/** Milliseconds. */
const DAY = 24 * 3600 * 1000;

/** The error of a limit that is used up until the next midnight in UTC. */
export function dailyLimitReached(now: Date): ApiError {
  const midnight = (Math.floor(now.getTime() / DAY) + 1) * DAY;
  return new ApiError(apiErrors.DAILY_LIMIT_REACHED, {
    retryAfterSeconds: Math.ceil((midnight - now.getTime()) / 1000),
  });
}
