import middy from '@middy/core';
import type { APIGatewayProxyResult } from 'aws-lambda';
import type * as z from 'zod/mini';
import type { Contract } from '#shared/contracts/contract.ts';
import { PROBLEM_MEDIA_TYPE, problemFor } from '#shared/contracts/problem.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import { describe, log } from '#shared/runtime/logger.ts';
import { readJsonBody } from './body.ts';
import { type HttpRequest, parseGatewayEvent } from './event.ts';
import { validate } from './validation.ts';

/** A request as a use case sees it. */
export interface Call<C extends Contract> {
  /** The calling client; empty on routes that need no access token. */
  readonly clientId: string;
  readonly path: z.infer<C['pathParameters']>;
  /** Validates the query parameters; called by the use case, like `body`. */
  readonly query: () => z.infer<C['query']>;
  /** Reads and validates the body. Called by the use case, because what the path names is checked before the body. */
  readonly body: () => z.infer<C['body']>;
  readonly http: HttpRequest;
}

interface Answer<C extends Contract> {
  readonly body: z.infer<C['success']['body']>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type UseCase<C extends Contract> = (call: Call<C>) => Promise<Answer<C>>;

/** Refuses a client that may not make this call; which clients may is read at the time of the call, not from the token. */
export type Authorise = (clientId: string) => Promise<void>;

/** Turns a contract and a use case into the Lambda handler of the route. */
export function endpoint<
  P extends z.ZodMiniType,
  B extends z.ZodMiniType,
  S extends z.ZodMiniType,
  Q extends z.ZodMiniType,
>(contract: Contract<P, B, S, Q>, authorise: Authorise, useCase: UseCase<Contract<P, B, S, Q>>) {
  return middy()
    .use({ onError: ({ event, error }) => refuse(contract, event, error) })
    .handler(async (event: unknown): Promise<APIGatewayProxyResult> => {
      const http = parseGatewayEvent(event);
      const clientId = contract.access === 'public' || contract.access === 'provider' ? '' : liveClient(http);
      await authorise(clientId);
      const answer = await useCase({
        clientId,
        path: parsePath(contract, http),
        query: () => validate(contract.query, http.query, 'query'),
        body: () => validate(contract.body, readJsonBody(http), 'body'),
        http,
      });
      const { status, mediaTypes } = contract.success;
      const body = contract.success.body.parse(answer.body);
      return mediaTypes === undefined
        ? respond(status, 'application/json', JSON.stringify(body), http.requestId, answer.headers)
        : respond(status, mediaTypes[0], String(body), http.requestId, answer.headers);
    });
}

/** The authorizer's answer may come from its cache, so every call is refused once its token has expired. */
function liveClient(http: HttpRequest): string {
  if (http.token === undefined || http.token.expiresAtSeconds * 1000 <= Date.now()) throw new Refusal('UNAUTHORIZED');
  return http.token.clientId;
}

function parsePath<P extends z.ZodMiniType>(contract: Contract<P>, http: HttpRequest): z.infer<P> {
  const path = contract.pathParameters.safeParse(http.pathParameters);
  if (!path.success) throw new Refusal(contract.unknownPath);
  return path.data;
}

/** The one place where a failure becomes an answer. */
function refuse(contract: Contract, event: unknown, error: unknown): APIGatewayProxyResult {
  const requestId = requestIdOf(event);
  const refusal = error instanceof Refusal ? error : new Refusal('INTERNAL_ERROR');
  const fields = { route: contract.name, refusal: refusal.code, requestId };
  if (refusal.status < 500) log.info('REQUEST_REFUSED', fields);
  else log.error('REQUEST_FAILED', { ...fields, cause: describe(error instanceof Refusal ? error.cause : error) });
  const problem = JSON.stringify(problemFor(refusal.code, requestId, refusal));
  return respond(refusal.status, PROBLEM_MEDIA_TYPE, problem, requestId, {
    ...(refusal.status === 401 &&
      contract.access !== 'provider' && { 'WWW-Authenticate': refusal.code === 'INVALID_CLIENT' ? 'Basic' : 'Bearer' }),
    ...(refusal.retryAfterSeconds !== undefined && { 'Retry-After': String(refusal.retryAfterSeconds) }),
  });
}

function requestIdOf(event: unknown): string {
  try {
    return parseGatewayEvent(event).requestId;
  } catch {
    return 'unknown';
  }
}

function respond(
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
