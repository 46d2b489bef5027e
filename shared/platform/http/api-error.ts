import { apiErrors, type ErrorKind } from './api-errors.ts';

/** One value of the request that is not valid. */
export interface FieldError {
  /** Its path, from `body`, `path`, `query` or `header` on: `body.amount`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

type Ids = Readonly<Record<string, string>>;

interface ApiErrorOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly about?: Ids;
  readonly ids?: Ids;
  readonly cause?: unknown;
}

/** Thrown wherever a request cannot be served; mapped to a problem body in one place. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly kind: ErrorKind;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Ids that the problem has, too: what a failed creation has made all the same. */
  readonly about: Ids | undefined;
  /** Ids for the line of the request alone. */
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

/** Values that are not valid: 422 with a line for each. */
export function invalid(...errors: readonly FieldError[]): ApiError {
  return new ApiError(apiErrors.VALIDATION_FAILED, { errors });
}
