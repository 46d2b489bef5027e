/** Every error of the API: its status, and its text for people when there is no more specific one (decisions.md 3). */
export const apiErrors = {
  BAD_REQUEST: [400, 'The request cannot be read. Check its path, query and headers.'],
  MALFORMED_JSON: [400, 'The body is not valid JSON. Send one JSON value in UTF-8, with each key once.'],
  INVALID_REQUEST: [400, 'A field of the token request is missing, repeated or not valid.'],
  UNSUPPORTED_GRANT_TYPE: [400, 'The grant_type must be client_credentials.'],
  UNAUTHORIZED: [
    401,
    'The access token is missing, malformed, expired or not issued by this service. Request a new one.',
  ],
  INVALID_CLIENT: [
    401,
    'The client id or the client secret is wrong. Check both, and that they belong to this environment.',
  ],
  CLIENT_NOT_APPROVED: [
    403,
    'The client is not approved to operate. It may once complianceStatus and status, which GET /api/infoClient shows, are both approved.',
  ],
  FORBIDDEN: [
    403,
    'The client may not make this call. Check that the client id in the path is its own; if it is, ask for access.',
  ],
  NOT_FOUND: [404, 'There is no such route. Check the method and the path.'],
  USER_NOT_FOUND: [404, 'The client has no user with this id. Check the id and the environment.'],
  OFF_RAMP_NOT_FOUND: [
    404,
    'The user has no off-ramp operation with this id that is funded from an external wallet. Check both ids.',
  ],
  EXTERNAL_WALLET_NOT_FOUND: [404, 'The user has no external wallet with this id. Check originExternalWalletId.'],
  WEBHOOK_NOT_FOUND: [
    404,
    'The client has no webhook with this id. GET /api/webhooks/{clientId} lists those that it has.',
  ],
  DELIVERY_NOT_FOUND: [
    404,
    'The webhook has no delivery with this id. They are kept for 90 days; the list of deliveries has them.',
  ],
  PAYIN_NOT_FOUND: [404, 'The user has no pay-in with this id. Check both ids.'],
  OPERATION_NOT_AWAITING_DEPOSIT: [
    409,
    'The operation no longer awaits a deposit. Read it to see its status; another deposit needs another operation.',
  ],
  OPERATION_STATUS_CONFLICT: [
    409,
    'The status of the operation does not allow this change. Read the operation to see its status.',
  ],
  PAYIN_STATUS_CONFLICT: [
    409,
    'The status of the pay-in does not allow this change. Read the pay-in to see its status.',
  ],
  TX_HASH_ALREADY_DECLARED: [
    409,
    'Another operation has declared this hash or was funded by it. Submit the hash of the transaction that funds this operation.',
  ],
  DEPOSIT_IN_PROGRESS: [
    409,
    'A deposit for the operation is on its way, so it cannot be cancelled. Wait until the deposit is verified or has failed.',
  ],
  TOO_MANY_ATTEMPTS: [
    409,
    'The operation has used all of its 100 verification attempts. Its deposit is still detected without a hash; if it is not, ask for help.',
  ],
  WEBHOOK_INACTIVE: [409, 'The webhook is inactive. Reactivate it first, by PATCH with status true.'],
  WEBHOOK_ACTIVE: [409, 'The webhook is active. Deactivate it first, by DELETE.'],
  TOO_MANY_WEBHOOKS: [409, 'The client has 100 webhooks, or 10 active ones of the process. The detail says which.'],
  IDEMPOTENCY_IN_PROGRESS: [
    409,
    'A request with this Idempotency-Key is still in progress. Repeat it after the seconds in Retry-After.',
  ],
  CONCURRENT_CHANGE: [409, 'Another request changes the same thing. Repeat this one after the seconds in Retry-After.'],
  SANDBOX_DEPOSIT_TAKEN: [
    409,
    'Another client has put this transaction there, and only that client can change it. Use another hash.',
  ],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than this route accepts. Send a smaller one.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'The media type is not supported. Send the body as application/json.'],
  VALIDATION_FAILED: [
    422,
    'Some values are missing or not valid. The errors name each of them and say what it must be.',
  ],
  IDEMPOTENCY_KEY_REUSED: [
    422,
    'This Idempotency-Key was used before with another body. Use a new key for a new request.',
  ],
  TOO_MANY_REQUESTS: [429, 'There are too many requests. Repeat this one after the seconds in Retry-After.'],
  DAILY_LIMIT_REACHED: [
    429,
    'The limit of a day is used up. Repeat this one after the seconds in Retry-After, or ask for more.',
  ],
  INTERNAL_ERROR: [
    500,
    'The service failed. Repeat the request; repeat a creation only with the same Idempotency-Key, because it may have been made. Quote requestId when you ask for help.',
  ],
  RAIL_REJECTED: [
    502,
    'The payment rail refused the payment, and the pay-in has failed. To try again, create another pay-in with another Idempotency-Key.',
  ],
  RAIL_UNAVAILABLE: [
    503,
    'The payment rail does not answer, and the pay-in may be payable. Read it by payinId, or repeat the request with the same Idempotency-Key.',
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'The service cannot answer at the moment. Repeat the request after a pause; repeat a creation only with the same Idempotency-Key.',
  ],
} as const satisfies Record<string, readonly [status: number, detail: string]>;

export type ApiErrorCode = keyof typeof apiErrors;

export const apiErrorCodes = Object.keys(apiErrors).filter((code): code is ApiErrorCode => code in apiErrors);

/** One value of the request that is not valid. */
export interface FieldError {
  /** Its path, from `body`, `path`, `query` or `header` on: `body.txHash`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

interface ApiErrorOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly payinId?: string;
  readonly ids?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown wherever a request cannot be served; mapped to a problem body in one place. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The pay-in that a failed creation is about. */
  readonly payinId: string | undefined;
  /** Ids for the line of the request; the client gets only the one of the pay-in. */
  readonly ids: Readonly<Record<string, string>> | undefined;

  constructor(code: ApiErrorCode, options: ApiErrorOptions = {}) {
    super(options.detail ?? apiErrors[code][1], { cause: options.cause });
    this.code = code;
    this.status = apiErrors[code][0];
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.payinId = options.payinId;
    this.ids = options.payinId === undefined ? options.ids : { ...options.ids, payinId: options.payinId };
  }
}

/** Values that are not valid: 422 with a line for each. */
export function invalid(...errors: readonly FieldError[]): ApiError {
  return new ApiError('VALIDATION_FAILED', { errors });
}
