import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiError, FieldError } from './api-error.ts';
import { type apiErrors, type ErrorKind, titles } from './api-errors.ts';

export const PROBLEM_MEDIA_TYPE = 'application/problem+json';

/** The body of an error (RFC 9457; decisions.md 3). */
type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly requestId: string;
  readonly errors?: readonly FieldError[];
};

/** @param docsUrl the address of the guides, which have a page for each code */
export function problemFor(
  { code, status, detail }: ErrorKind,
  requestId: string,
  docsUrl: string,
  error?: ApiError,
): Problem {
  return {
    type: `${docsUrl}/errors/${code}.html`,
    title: titles[status],
    status,
    code,
    detail: error?.message ?? detail,
    requestId,
    ...error?.about,
    ...(error?.errors && { errors: error.errors }),
  };
}

/**
 * The errors of RFC 6749 §5.2 that a token request can end in. §5.2 has none for too many requests, so that one is of
 * §4.1.2.1.
 */
export const oauthErrorCodes = [
  'invalid_client',
  'invalid_request',
  'unsupported_grant_type',
  'temporarily_unavailable',
] as const;

export interface OauthError {
  readonly error: (typeof oauthErrorCodes)[number];
  readonly error_description: string;
}

const errors: Readonly<Record<string, OauthError['error'] | undefined>> = {
  INVALID_CLIENT: 'invalid_client',
  UNSUPPORTED_GRANT_TYPE: 'unsupported_grant_type',
  INVALID_REQUEST: 'invalid_request',
  MALFORMED_JSON: 'invalid_request',
  PAYLOAD_TOO_LARGE: 'invalid_request',
  UNSUPPORTED_MEDIA_TYPE: 'invalid_request',
  TOO_MANY_REQUESTS: 'temporarily_unavailable',
} satisfies Partial<Record<keyof typeof apiErrors, OauthError['error']>>;

/** The members that stock OAuth clients read in a refused token request; `undefined` if the service itself failed. */
export function oauthError(code: string, detail: string): OauthError | undefined {
  const error = errors[code];
  // RFC 6749 allows only printable ASCII, without quotes and backslashes.
  return error && { error, error_description: detail.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '') };
}

/**
 * An answer with the common headers.
 *
 * @param contentType absent if there is no body
 */
export function respond(
  statusCode: number,
  contentType: string | undefined,
  body: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: {
      ...(contentType !== undefined && { 'Content-Type': contentType }),
      ...commonHeaders,
      'X-Request-Id': requestId,
      ...headers,
    },
    body,
  };
}

/** The scheme by which a client must authenticate; API Gateway passes this header on under another name. */
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="API clients"' };

/** The path of the guides in every stage. */
export const DOCS_PATH = '/api/docs';

/**
 * The address of the guides: the one that the deployment sets, else below the same address as the called URL.
 *
 * @param url the address that was called
 */
export function docsUrl(url: string): string {
  const [base = ''] = url.split(/\/(?:api|operations)\//, 1);
  return process.env['DOCS_URL'] ?? `${base}${DOCS_PATH}`;
}

/** The one place where an error becomes an answer. */
export function respondWithProblem(
  error: ApiError,
  { requestId, url }: { readonly requestId: string; readonly url: string },
  isOauth: boolean,
): APIGatewayProxyResult {
  const problem = problemFor(error.kind, requestId, docsUrl(url), error);
  const oauth = isOauth ? oauthError(error.code, problem.detail) : undefined;
  const mediaType = oauth === undefined ? PROBLEM_MEDIA_TYPE : 'application/json';
  return respond(error.status, mediaType, JSON.stringify({ ...problem, ...oauth }), requestId, {
    ...(oauth?.error === 'invalid_client' && CHALLENGE),
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
  });
}

/** Headers of every answer, also of API Gateway's own ones, unless the answer overrides them. */
export const commonHeaders = {
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;
