/** Every refusal of the service: its status, and what a person reads when nothing more specific is said (decisions.md 3). */
export const refusals = {
  BAD_REQUEST: [400, 'The request could not be read.'],
  MALFORMED_JSON: [400, 'The body is not one JSON value without repeated keys.'],
  INVALID_REQUEST: [400, 'A field of the token request is missing, repeated or not acceptable.'],
  UNSUPPORTED_GRANT_TYPE: [400, 'The grant_type has to be client_credentials.'],
  UNAUTHORIZED: [401, 'The access token is missing, malformed, expired or not ours. Request a new one.'],
  INVALID_CLIENT: [401, 'The client id or the client secret is wrong.'],
  CLIENT_NOT_APPROVED: [403, 'The client may operate once its complianceStatus and its status are both approved.'],
  FORBIDDEN: [403, 'This is not yours to use.'],
  NOT_FOUND: [404, 'There is no such route. Check the method and the path.'],
  USER_NOT_FOUND: [404, 'The client has no such user.'],
  OFF_RAMP_NOT_FOUND: [404, 'The user has no off-ramp operation with this id that is funded from an external wallet.'],
  EXTERNAL_WALLET_NOT_FOUND: [404, 'The user has no external wallet with this id.'],
  WEBHOOK_NOT_FOUND: [404, 'The client has no webhook with this id.'],
  DELIVERY_NOT_FOUND: [404, 'The webhook has no delivery with this id.'],
  PAYIN_NOT_FOUND: [404, 'The user has no pay-in with this id.'],
  OPERATION_NOT_AWAITING_DEPOSIT: [409, 'The operation no longer awaits a deposit.'],
  OPERATION_STATUS_CONFLICT: [409, 'The operation cannot come to this status from the one that it has.'],
  PAYIN_STATUS_CONFLICT: [409, 'The pay-in cannot come to this status from the one that it has.'],
  TX_HASH_ALREADY_DECLARED: [
    409,
    'Another operation has declared this hash or was funded by it. Submit the hash of the transaction that funds this operation.',
  ],
  DEPOSIT_IN_PROGRESS: [409, 'A deposit for the operation is on its way; it can no longer be cancelled.'],
  TOO_MANY_ATTEMPTS: [409, 'The operation has used up its 100 verification attempts.'],
  WEBHOOK_INACTIVE: [409, 'The webhook is inactive. Reactivate it first.'],
  WEBHOOK_ACTIVE: [409, 'The webhook is active. Deactivate it first.'],
  TOO_MANY_WEBHOOKS: [409, 'The client has 100 webhooks, active or not. Remove one that is inactive first.'],
  IDEMPOTENCY_IN_PROGRESS: [409, 'A request with this Idempotency-Key is still being worked on.'],
  SANDBOX_DEPOSIT_TAKEN: [409, 'Another client put this transaction there; only that client can change it.'],
  PAYLOAD_TOO_LARGE: [413, 'The body is larger than this route accepts.'],
  UNSUPPORTED_MEDIA_TYPE: [415, 'Send the body as application/json.'],
  VALIDATION_FAILED: [422, 'Some values are missing or not acceptable; errors says which.'],
  IDEMPOTENCY_KEY_REUSED: [422, 'This Idempotency-Key was used before with another body.'],
  TOO_MANY_REQUESTS: [429, 'Too many requests. Wait as long as Retry-After says.'],
  INTERNAL_ERROR: [
    500,
    'The service failed. Repeat the request, a creation only with the same Idempotency-Key: it may have been made. Give requestId when you ask for help.',
  ],
  RAIL_REJECTED: [
    502,
    'The payment rail refused the payment, and the pay-in has failed. Another try is another pay-in, with another Idempotency-Key.',
  ],
  RAIL_UNAVAILABLE: [
    503,
    'The payment rail does not answer, and the pay-in may be payable. Read it by payinId, or repeat the request with the same Idempotency-Key.',
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'The service cannot answer just now. Repeat the request, a creation only with the same Idempotency-Key.',
  ],
} as const satisfies Record<string, readonly [status: number, detail: string]>;

export type RefusalCode = keyof typeof refusals;

export const refusalCodes = Object.keys(refusals).filter((code): code is RefusalCode => code in refusals);

/** One value of the request that was not acceptable. */
export interface FieldError {
  /** Where it stands, from `body`, `path`, `query` or `header` on: `body.txHash`. */
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

interface RefusalOptions {
  readonly detail?: string;
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly payinId?: string;
  readonly ids?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

/** Thrown wherever a request cannot be served; mapped to a problem body in one place. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: RefusalCode;
  readonly status: number;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The pay-in that a failed creation is about. */
  readonly payinId: string | undefined;
  /** Of what it is about, for the line of the request; the client is told of none but the pay-in. */
  readonly ids: Readonly<Record<string, string>> | undefined;

  constructor(code: RefusalCode, options: RefusalOptions = {}) {
    super(options.detail ?? refusals[code][1], { cause: options.cause });
    this.code = code;
    this.status = refusals[code][0];
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.payinId = options.payinId;
    this.ids = options.payinId === undefined ? options.ids : { ...options.ids, payinId: options.payinId };
  }
}

/** A refusal of single values: 422 with a line for each. */
export function invalid(...errors: readonly FieldError[]): Refusal {
  return new Refusal('VALIDATION_FAILED', { errors });
}
