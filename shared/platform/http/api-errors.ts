import { mapValues } from '#shared/platform/collections.ts';

/** A kind of API error: the code, status and text of its problems (decisions.md 3). */
export interface ErrorKind {
  readonly code: string;
  readonly status: Status;
  /** For people, when there is no more specific text. */
  readonly detail: string;
}

type Status = keyof typeof titles;

/** The names that RFC 9110 gives to statuses. */
export const titles = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  409: 'Conflict',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
} as const;

/**
 * Errors by their codes. Each module declares its own beside its contracts; a contract lists the errors that its route
 * can answer.
 *
 * @__NO_SIDE_EFFECTS__
 */
export function declareErrors<Code extends string>(
  errors: Readonly<Record<Code, readonly [status: Status, detail: string]>>,
): Readonly<Record<Code, ErrorKind>> {
  return mapValues(errors, ([status, detail], code) => ({ code, status, detail }));
}

/** Errors that any kind of request may end with. */
export const apiErrors = declareErrors({
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
  FORBIDDEN: [
    403,
    "The client may not make this call. Check that the client id in the path is the client's own; if it is, ask for access.",
  ],
  NOT_FOUND: [404, 'There is no such route. Check the method and the path.'],
  IDEMPOTENCY_IN_PROGRESS: [
    409,
    'A request with this Idempotency-Key is still in progress. Repeat it after the seconds in Retry-After.',
  ],
  CONCURRENT_CHANGE: [
    409,
    'Another request changes the same resource. Repeat this one after the seconds in Retry-After.',
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
  TOO_MANY_REQUESTS: [429, 'There are too many requests. Repeat this request after the seconds in Retry-After.'],
  DAILY_LIMIT_REACHED: [
    429,
    'The daily limit is reached. Repeat this request after the seconds in Retry-After, or ask for a higher limit.',
  ],
  INTERNAL_ERROR: [
    500,
    'The service failed. Repeat the request; repeat a creation only with the same Idempotency-Key, because it may have succeeded. Quote requestId when you ask for help.',
  ],
  SERVICE_UNAVAILABLE: [
    503,
    'The service cannot answer at the moment. Repeat the request after a pause; repeat a creation only with the same Idempotency-Key.',
  ],
});
