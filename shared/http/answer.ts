import type { APIGatewayProxyResult } from 'aws-lambda';
import { commonHeaders } from '#shared/contracts/common-headers.ts';
import { PROBLEM_MEDIA_TYPE, problemFor } from '#shared/contracts/problem.ts';
import type { Refusal } from '#shared/domain/refusal.ts';

/**
 * An answer with the headers that all of ours have.
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

/** The one place where a refusal becomes an answer. */
export function respondWithProblem(refusal: Refusal, requestId: string): APIGatewayProxyResult {
  const problem = JSON.stringify(problemFor(refusal.code, requestId, refusal));
  return respond(refusal.status, PROBLEM_MEDIA_TYPE, problem, requestId, {
    ...(refusal.retryAfterSeconds !== undefined && { 'Retry-After': String(refusal.retryAfterSeconds) }),
  });
}
