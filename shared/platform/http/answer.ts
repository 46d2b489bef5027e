import type { APIGatewayProxyResult } from 'aws-lambda';
import type { ApiError } from './api-error.ts';
import { oauthError, PROBLEM_MEDIA_TYPE, problemFor } from './problem.ts';

/**
 * An answer with the common headers.
 *
 * @param contentType absent where there is no body
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

/** The scheme that a client has to authenticate by; API Gateway sends the header on under another name. */
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="API clients"' };

/** The one place where an error becomes an answer. */
export function respondWithProblem(error: ApiError, requestId: string, isOauth: boolean): APIGatewayProxyResult {
  const problem = problemFor(error.kind, requestId, error);
  const oauth = isOauth ? oauthError(error.code, problem.detail) : undefined;
  const mediaType = oauth === undefined ? PROBLEM_MEDIA_TYPE : 'application/json';
  return respond(error.status, mediaType, JSON.stringify({ ...problem, ...oauth }), requestId, {
    ...(oauth?.error === 'invalid_client' && CHALLENGE),
    ...(error.retryAfterSeconds !== undefined && { 'Retry-After': String(error.retryAfterSeconds) }),
  });
}

/** Headers of every answer, API Gateway's own included, unless the answer says otherwise. */
export const commonHeaders = {
  'Cache-Control': 'no-store',
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;
