import * as z from 'zod/mini';
import type { RouteShape } from '#test/simulation/topology/topology.ts';
import type { Host, Invocation, Invoke } from './host.ts';

export interface HttpCall {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The identity of the account that signs the call. */
  readonly signedBy?: string;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `undefined` if no answer comes; the request may have been processed all the same. */
export type SendRequest = (call: HttpCall) => Promise<HttpAnswer | undefined>;

export interface GatewayFaults {
  /** The call does not arrive, or its answer is lost. Probabilities. */
  readonly lostCall: number;
  readonly lostAnswer: number;
  /** The caller gives up early, and may call again, while the function continues. */
  readonly hangUp: number;
}

const proxyResult = z.object({
  statusCode: z.int(),
  headers: z._default(z.record(z.string(), z.coerce.string()), {}),
  body: z.string(),
});

const authorization = z.object({
  context: z.object({ clientId: z.string(), exp: z.number() }),
  usageIdentifierKey: z.string(),
});

type Authorization = z.infer<typeof authorization>['context'];

/** Milliseconds after which a caller without an answer gives up. */
const PATIENCE = 30_000;

/** All APIs: finds the route of a call, asks the authorizer, and calls the function. */
export function createGateway(
  { schedule, random, trace }: Host,
  routes: readonly RouteShape[],
  invoke: Invoke,
  faults: GatewayFaults,
): SendRequest {
  const patterns = routes.map((route) => ({ route, pattern: patternOf(route.path) }));
  const authorized = new Map<string, { readonly until: number; readonly context: Authorization }>();
  let calls = 0;

  /** Asks the authorizer who calls; its answer is cached by token. */
  async function authorize(
    { folder, cacheSeconds }: NonNullable<RouteShape['authorizer']>,
    token: string,
  ): Promise<Authorization | 401 | 500> {
    const now = schedule.clock.now().getTime();
    const known = authorized.get(token);
    if (known !== undefined && now < known.until) return known.context;
    const methodArn = 'arn:aws:execute-api:in-memory-1:000000000000:api/staging/GET/';
    const outcome = await invoke(folder, { type: 'TOKEN', authorizationToken: token, methodArn });
    if (outcome.state !== 'DONE') return outcome.state === 'THREW' && isRefusal(outcome.error) ? 401 : 500;
    const { context } = authorization.parse(outcome.value);
    authorized.set(token, { until: now + cacheSeconds * 1000, context });
    return context;
  }

  async function answerOf(call: HttpCall): Promise<HttpAnswer> {
    const [path = '', query] = call.path.split('?', 2);
    const found = patterns.find(({ route, pattern }) => route.method === call.method && pattern.test(path));
    if (found === undefined) return empty(403);
    const { route, pattern } = found;
    if (route.isSigned !== (call.signedBy !== undefined)) return empty(403);
    const token = headerOf(call, 'authorization');
    if (route.authorizer !== undefined && token === undefined) return empty(401);
    const context = route.authorizer && token !== undefined ? await authorize(route.authorizer, token) : undefined;
    if (typeof context === 'number') return empty(context);
    calls += 1;
    const outcome = await invoke(route.folder, {
      ...eventOf(call, path, query),
      resource: route.path,
      pathParameters: mapOf(pattern.exec(path)?.groups),
      requestContext: {
        requestId: `request-${calls}`,
        domainName: 'api.service.example',
        path,
        ...(call.signedBy !== undefined && { identity: { userArn: call.signedBy } }),
        ...(context && { authorizer: { clientId: context.clientId, exp: String(context.exp) } }),
      },
    });
    return answerIn(outcome);
  }

  return async (call) => {
    if (random.chance(faults.lostCall)) return lost();
    await schedule.turn('REQUEST');
    const given = answerOf(call);
    if (random.chance(faults.hangUp)) {
      given.catch(schedule.fail);
      return void (await schedule.turn('ANSWER'));
    }
    const answer = await given;
    trace(() => `${call.method} ${call.path} ${call.body ?? ''} → ${answer.status} ${withoutSignature(answer.body)}`);
    await schedule.turn('ANSWER');
    return random.chance(faults.lostAnswer) ? lost() : answer;
  };

  async function lost(): Promise<undefined> {
    await schedule.clock.sleep(PATIENCE);
  }
}

function eventOf({ method, headers = {}, body }: HttpCall, path: string, query: string | undefined) {
  return {
    httpMethod: method,
    path,
    headers,
    queryStringParameters: query === undefined ? null : Object.fromEntries(new URLSearchParams(query)),
    body: body === undefined ? null : Buffer.from(body).toString('base64'),
    isBase64Encoded: true,
  };
}

/** API Gateway's own answers say nothing of what the function has done. */
function answerIn(outcome: Invocation): HttpAnswer {
  switch (outcome.state) {
    case 'DONE': {
      const { statusCode: status, headers, body } = proxyResult.parse(outcome.value);
      return { status, headers, body };
    }
    case 'THROTTLED':
      return empty(500);
    case 'THREW':
      return empty(502);
    case 'DIED':
      return empty(504);
  }
}

/** An authorizer refuses with this text alone; any other error is a fault. */
function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.message === 'Unauthorized';
}

function empty(status: number): HttpAnswer {
  return { status, headers: {}, body: '' };
}

function headerOf({ headers = {} }: HttpCall, name: string): string | undefined {
  return Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

function mapOf(groups: Readonly<Record<string, string>> | undefined): Readonly<Record<string, string>> | null {
  if (groups === undefined) return null;
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
}

/** The signature of an access token is random, and useless to a reader. */
function withoutSignature(body: string): string {
  return body.replace(/("access_token":"[^."]+\.[^."]+\.)[^"]+/, '$1…');
}
