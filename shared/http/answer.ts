import type { APIGatewayProxyResult } from 'aws-lambda';
import type { Contract } from '#shared/contracts/contract.ts';
import { PROBLEM_MEDIA_TYPE, problemFor } from '#shared/contracts/problem.ts';
import type { Refusal } from '#shared/domain/refusal.ts';

/** An answer with the headers that all of ours have. */
export function respond(
  statusCode: number,
  contentType: string,
  body: string,
  requestId: string,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult {
  return {
    statusCode,
    headers: {
      'Content-Type': contentType,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': requestId,
      ...headers,
    },
    body,
  };
}

/** The one place where a refusal becomes an answer. */
export function respondWithProblem(contract: Contract, refusal: Refusal, requestId: string): APIGatewayProxyResult {
  const problem = JSON.stringify(problemFor(refusal.code, requestId, refusal));
  return respond(refusal.status, PROBLEM_MEDIA_TYPE, problem, requestId, {
    ...(refusal.status === 401 &&
      contract.access !== 'provider' && { 'WWW-Authenticate': refusal.code === 'INVALID_CLIENT' ? 'Basic' : 'Bearer' }),
    ...(refusal.retryAfterSeconds !== undefined && { 'Retry-After': String(refusal.retryAfterSeconds) }),
  });
}
