import type { APIGatewayProxyResult } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Contract } from '#shared/contracts/contract.ts';
import { Refusal } from '#shared/domain/refusal.ts';
import { describe, type Fields, log, withFields } from '#shared/runtime/logger.ts';
import { respond, respondWithProblem } from './answer.ts';
import { readJsonBody } from './body.ts';
import { cacheable } from './cacheable.ts';
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
  /** Ids of what was made, for the line of the request. */
  readonly ids?: Fields;
}

export type UseCase<C extends Contract> = (call: Call<C>) => Promise<Answer<C>>;

/** Refuses a client that may not make this call; which clients may is read at the time of the call, not from the token. */
export type Authorise = (clientId: string) => Promise<void>;

/** What the lines of a request say; it fills as the request is read, so that a refusal is told with all that is known. */
interface Line extends Record<string, Fields[string]> {
  requestId: string;
}

/** Turns a contract and a use case into the Lambda handler of the route. Every request leaves one line. */
export function endpoint<
  P extends z.ZodMiniType,
  B extends z.ZodMiniType,
  S extends z.ZodMiniType,
  Q extends z.ZodMiniType,
>(contract: Contract<P, B, S, Q>, authorise: Authorise, useCase: UseCase<Contract<P, B, S, Q>>) {
  return (event: unknown): Promise<APIGatewayProxyResult> => {
    const line: Line = { route: contract.name, requestId: 'unknown' };
    return withFields(line, async () => {
      const startedAt = Date.now();
      try {
        const answer = await serve(parseGatewayEvent(event), line);
        log.info('REQUEST_SERVED', { status: answer.statusCode, milliseconds: Date.now() - startedAt });
        return answer;
      } catch (error) {
        const refusal = error instanceof Refusal ? error : new Refusal('INTERNAL_ERROR', { cause: error });
        const { code, status, ids, cause } = refusal;
        const ending = { ...ids, status, refusal: code, milliseconds: Date.now() - startedAt };
        if (status < 500) log.info('REQUEST_REFUSED', ending);
        else log.error('REQUEST_FAILED', { ...ending, cause: describe(cause) });
        return respondWithProblem(refusal, line.requestId);
      }
    });
  };

  async function serve(http: HttpRequest, line: Line): Promise<APIGatewayProxyResult> {
    Object.assign(line, { requestId: http.requestId, extendedRequestId: http.extendedRequestId });
    const clientId = contract.access === 'public' || contract.access === 'provider' ? '' : liveClient(http, line);
    await authorise(clientId);
    const path = parsePath(contract, http);
    Object.assign(line, { ...idsOf(path), ...line });
    const { body, headers, ids } = await useCase({
      clientId,
      path,
      query: () => validate(contract.query, http.query, 'query'),
      body: () => validate(contract.body, readJsonBody(http), 'body'),
      http,
    });
    Object.assign(line, ids);
    const { status, mediaTypes, body: schema } = contract.success;
    const shaped = schema.parse(body);
    const answer =
      mediaTypes === undefined
        ? respond(status, 'application/json', JSON.stringify(shaped), http.requestId, headers)
        : respond(status, mediaTypes[0], String(shaped), http.requestId, headers);
    if (contract.cacheSeconds === undefined) return answer;
    return cacheable(answer, contract.cacheSeconds, http.headers.get('if-none-match'));
  }
}

/** The authorizer's answer may come from its cache, so every call is refused once its token has expired. */
function liveClient({ token }: HttpRequest, line: Line): string {
  line['clientId'] = token?.clientId;
  if (token === undefined || token.expiresAtSeconds * 1000 <= Date.now()) throw new Refusal('UNAUTHORIZED');
  return token.clientId;
}

function parsePath<P extends z.ZodMiniType>(contract: Contract<P>, http: HttpRequest): z.infer<P> {
  const path = contract.pathParameters.safeParse(http.pathParameters);
  if (!path.success) throw new Refusal(contract.unknownPath);
  return path.data;
}

const namedTexts = z.record(z.string(), z.string());

/** The ids of a path by the names that they have everywhere else: `operation_id` is `operationId`. */
function idsOf(path: unknown): Fields {
  const named = namedTexts.safeParse(path);
  if (!named.success) return {};
  const camelCase = (name: string) => name.replace(/_./g, (found) => found.slice(1).toUpperCase());
  return Object.fromEntries(Object.entries(named.data).map(([name, id]) => [camelCase(name), id]));
}
