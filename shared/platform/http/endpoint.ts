import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { addFields, describe, type Fields, ID_SHAPE, log, withFields } from '#shared/platform/logger.ts';
import { respond, respondWithProblem } from './answer.ts';
import { ApiError, asApiError, declineReason, errorForCaller } from './api-error.ts';
import { type Contract, isPublicRead, LARGEST_BODY } from './contract.ts';
import { type HttpRequest, parseGatewayEvent, parseJsonBody, refuseTooLarge } from './event.ts';
import { cacheable, preflightHeaders, publicRead } from './public-read.ts';
import type { UseCase } from './use-case.ts';
import { validate } from './validation.ts';

/** Refuses a client that may not make this call. The permission is read at the time of the call, not from the token. */
export type Authorise = (clientId: string, http: Pick<HttpRequest, 'certificateSubject'>) => Promise<void>;

interface Guard {
  readonly authorise: Authorise;
  /** The clock that access tokens expire by. */
  readonly clock: Clock;
}

/** Turns a contract and a use case into the Lambda handler of the route; called by endpoints.ts and approved-endpoint.ts only. */
export function endpoint<
  P extends z.ZodMiniType,
  B extends z.ZodMiniType,
  S extends z.ZodMiniType,
  Q extends z.ZodMiniType,
>(contract: Contract<P, B, S, Q>, { authorise, clock }: Guard, useCase: UseCase<Contract<P, B, S, Q>>) {
  const handler = middy<unknown, APIGatewayProxyResult>()
    .use(isPublicRead(contract) ? [publicRead()] : [])
    .use(contract.deprecated === undefined ? [] : [deprecation(contract.deprecated)])
    .use(requestLine(contract, clock))
    .use(contract.cacheSeconds === undefined ? [] : [cacheable(contract.cacheSeconds)])
    .handler(async (event: unknown): Promise<APIGatewayProxyResult> => {
      const http = parseGatewayEvent(event);
      addFields({ requestId: http.requestId, extendedRequestId: http.extendedRequestId });
      if (http.method === 'OPTIONS') return respond(204, undefined, '', http.requestId, preflightHeaders);
      const clientId = callerOf(contract, http, clock.now());
      await authorise(clientId, http);
      const path = parsePath(contract, http);
      // A path may name a client, too; the log line names the calling client.
      addFields({ ...idsOf(path), ...(clientId !== '' && { clientId }) });
      const bytes = () => refuseTooLarge(contract.largestBody ?? LARGEST_BODY, http.rawBody);
      const answer = await useCase({
        clientId,
        path,
        query: () => validate(contract.query, http.query, 'query'),
        body: () => validate(contract.body, parseJsonBody(http, bytes()), 'body'),
        bytes,
        http,
      });
      addFields(answer.ids ?? {});
      const { status, mediaTypes } = contract.success;
      const body = contract.success.body.parse(answer.body);
      if (body === undefined) return respond(status, undefined, '', http.requestId, answer.headers);
      return mediaTypes === undefined
        ? respond(status, 'application/json', JSON.stringify(body), http.requestId, answer.headers)
        : respond(status, mediaTypes[0], String(body), http.requestId, answer.headers);
    });
  return (event: unknown, context: Context) => withFields({ route: contract.name }, () => handler(event, context));
}

const UNSIGNED =
  'No identity with permission for this call has signed it. Sign it (AWS Signature Version 4), and check the policy of the identity.';

/** The id of the calling client; empty if the caller is not a client. */
function callerOf({ access }: Contract, http: HttpRequest, now: Date): string {
  if (access === 'public' || access === 'provider') return '';
  if (access !== 'operator') return liveClient(http, now);
  // API Gateway refuses unsigned calls.
  if (http.operator === undefined) throw new ApiError(apiErrors.FORBIDDEN, { detail: UNSIGNED });
  addFields({ operator: http.operator });
  return '';
}

/** The authorizer's answer may come from its cache, so every call checks whether its token has expired. */
function liveClient({ token }: HttpRequest, now: Date): string {
  addFields({ clientId: token?.clientId });
  if (token === undefined || token.expiresAtSeconds * 1000 <= now.getTime()) throw new ApiError(apiErrors.UNAUTHORIZED);
  return token.clientId;
}

function parsePath<P extends z.ZodMiniType>(contract: Contract<P>, http: HttpRequest): z.infer<P> {
  const path = contract.pathParameters.safeParse({ ...namedIn(contract.path, http.route), ...http.pathParameters });
  if (!path.success) throw new ApiError(contract.unknownPath);
  return path.data;
}

/** The path parameters of a route that API Gateway defines for fixed values: then API Gateway passes no parameters. */
function namedIn(path: string, route: string): Readonly<Record<string, string>> | undefined {
  const called = route.slice(route.indexOf(' ') + 1);
  if (called === path) return undefined;
  const [values, parts] = [called.split('/'), path.split('/')];
  if (values.length !== parts.length) return undefined;
  return Object.fromEntries(
    parts.flatMap((part, at) => (part.startsWith('{') ? [[nameIn(part), values[at] ?? '']] : [])),
  );
}

/** `{name}` names `name`, and so does `{name+}`. */
function nameIn(parameter: string): string {
  return parameter.slice(1, -1).replace('+', '');
}

const namedTexts = z.record(z.string(), z.string());

/** The ids in a path, under the names that other log lines use: `user_id` becomes `userId`. */
function idsOf(path: unknown): Fields {
  const named = namedTexts.safeParse(path);
  if (!named.success) return {};
  const camelCase = (name: string) => name.replace(/_./g, (found) => found.slice(1).toUpperCase());
  const ids = Object.entries(named.data).filter(([, id]) => ID_SHAPE.test(id));
  return Object.fromEntries(ids.map(([name, id]) => [camelCase(name), id]));
}

/**
 * Adds to every answer, errors included, the headers that its route is deprecated (RFC 9745) and when it ends (RFC
 * 8594).
 */
function deprecation({
  since,
  sunset,
}: NonNullable<Contract['deprecated']>): MiddlewareObj<unknown, APIGatewayProxyResult> {
  const headers = { Deprecation: `@${Date.parse(since) / 1000}`, Sunset: new Date(sunset).toUTCString() };
  const say: NonNullable<MiddlewareObj<unknown, APIGatewayProxyResult>['after']> = (request) => {
    if (request.response)
      request.response = { ...request.response, headers: { ...request.response.headers, ...headers } };
  };
  return { after: say, onError: say };
}

interface Internal extends Record<string, unknown> {
  /** Milliseconds since 1970. */
  startedAt: number;
}

/**
 * Logs one line per request, with the fields that were known when it was answered, and turns every failure into an
 * answer; nothing else does. A fault, or a use case that runs out of time, is 500 without its cause.
 */
function requestLine(
  { oauth, access }: Pick<Contract, 'oauth' | 'access'>,
  clock: Clock,
): MiddlewareObj<unknown, APIGatewayProxyResult, Error, Context, Internal> {
  return {
    before({ internal }) {
      internal.startedAt = clock.now().getTime();
    },

    after({ internal, response }) {
      log.info('REQUEST_SERVED', {
        status: response?.statusCode,
        milliseconds: clock.now().getTime() - internal.startedAt,
      });
    },

    onError(request) {
      const { error, event, internal } = request;
      const apiError = errorForCaller(access, asApiError(error));
      const { code, status, about, ids, cause } = apiError;
      const reason = status < 500 ? undefined : declineReason(access, apiError);
      const ending = {
        ...about,
        ...ids,
        status,
        error: code,
        milliseconds: clock.now().getTime() - internal.startedAt,
      };
      if (status < 500) log.info('REQUEST_REFUSED', ending);
      else if (reason !== undefined) log.warn('REQUEST_DECLINED', { ...ending, reason, cause: describe(cause) });
      else log.error('REQUEST_FAILED', { ...ending, cause: describe(cause) });
      request.response = respondWithProblem(apiError, called(event), oauth === true);
    },
  };
}

function called(event: unknown): Pick<HttpRequest, 'requestId' | 'url'> {
  try {
    return parseGatewayEvent(event);
  } catch {
    return { requestId: 'unknown', url: '' };
  }
}
