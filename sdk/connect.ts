import { randomUUID } from 'node:crypto';
import { accessTokens } from './access-tokens.ts';
import { ApiProblem, type HttpAnswer } from './api-problem.ts';
import { type Clock, systemClock } from './clock.ts';
import { routes } from './generated.ts';
import type { AnswerOf, ArgumentsOf, Route } from './routes.ts';
import { type AnyFetch, type AnyRequest, given, sendTo } from './send.ts';
import { sendWithRetries } from './send-with-retries.ts';

const KEY = 'Idempotency-Key';

export interface Connection {
  readonly baseUrl: string;
  /** Not needed for the routes that need no access token. */
  readonly credentials?: { readonly clientId: string; readonly clientSecret: string };
  /** Replaces Node's `fetch`: with a client certificate, through a proxy, or with your own signal. */
  readonly fetch?: AnyFetch;
  readonly clock?: Clock;
}

/**
 * Calls a route and returns its successful answer. A call that may be repeated, or that came too fast, is tried up to
 * four times.
 *
 * @throws {ApiProblem} when the service refuses or fails
 * @throws what `fetch` throws when no answer comes: a TypeError, or a DOMException named TimeoutError after 35 seconds
 */
export type Call = <R extends Route>(route: R, ...args: ArgumentsOf<R>) => Promise<AnswerOf<R>>;

/** A connection to the service as one client, whose access tokens it obtains and renews by itself. */
export function connect({ baseUrl, credentials, fetch = globalThis.fetch, clock = systemClock }: Connection): Call {
  const send = sendTo(baseUrl, fetch);
  const tokens = accessTokens(async () => {
    if (credentials === undefined)
      throw new Error('This route needs the credentials of a client: give them to connect().');
    const body = { client_id: credentials.clientId, client_secret: credentials.clientSecret };
    const answer = await call('POST /api/v1/client/token', { body });
    return { token: answer.body.access_token, expiresIn: answer.body.expires_in };
  }, clock);

  /** Answers are not validated: they are assumed to be as the published interface says. */
  async function call<R extends Route>(route: R, ...args: ArgumentsOf<R>): Promise<AnswerOf<R>>;
  async function call(route: Route, asked: AnyRequest = {}): Promise<unknown> {
    // A program in JavaScript has no compiler that knows the routes.
    if (!Object.hasOwn(routes, route))
      throw new TypeError(`There is no route ${route}. The table of routes has all names.`);
    const { needsToken, repeatable } = routes[route];
    const header = new Headers(given(asked.header));
    if (repeatable === 'under its key' && !header.has(KEY)) header.set(KEY, randomUUID());
    const request = { ...asked, header: Object.fromEntries(header) };
    const attempt = (token?: string) =>
      sendWithRetries(() => send(route, request, token), repeatable !== 'never', clock);

    const token = needsToken ? await tokens() : undefined;
    const first = await attempt(token);
    // A call whose token is refused has had no effect, so any route can be called again.
    const answer = first.status === 401 && token !== undefined ? await attempt(await tokens(token)) : first;
    if (!isSuccess(answer)) throw new ApiProblem(route, answer);
    const { status, headers, text } = answer;
    return { status, headers, body: text === '' ? undefined : jsonIn(route, answer) };
  }
  return call;
}

/** 304 is a success: nothing has changed. */
function isSuccess({ status }: HttpAnswer): boolean {
  return (status >= 200 && status < 300) || status === 304;
}

/** @throws {ApiProblem} when the body is not the service's: the page of a proxy, or half an answer */
function jsonIn(route: Route, answer: HttpAnswer): unknown {
  try {
    return JSON.parse(answer.text);
  } catch {
    throw new ApiProblem(route, answer);
  }
}
