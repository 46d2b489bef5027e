import type { HttpAnswer } from './api-problem.ts';
import type { Route } from './routes.ts';

/** Milliseconds: longer than API Gateway lets a call take. */
const TRY_MILLISECONDS = 35_000;

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/**
 * The part of `fetch` that is needed, so that one with its own types fits: undici's, which takes a client certificate.
 */
export type AnyFetch = (
  url: string,
  init: {
    readonly method: string;
    readonly headers: Record<string, string>;
    readonly body?: string;
    readonly redirect: 'manual';
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly headers: Iterable<[string, string]>;
  text(): Promise<string>;
}>;

type Values = Readonly<Record<string, string | number | undefined>>;

/** The request of any route; undefined values are left out. */
export interface AnyRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Values;
  readonly header?: Values;
  readonly body?: unknown;
}

/** One try of a call. Throws what `fetch` throws when no answer comes, or none in time. */
export type Send = (route: Route, request: AnyRequest, token: string | undefined) => Promise<HttpAnswer>;

export function sendTo(baseUrl: string, fetch: AnyFetch): Send {
  // Addresses are often pasted with a slash at their end, and API Gateway has no route with two.
  const base = baseUrl.endsWith('/') ? baseUrl.slice(0, -1) : baseUrl;
  return async (route, { path = {}, query, header, body }, token) => {
    const [method = '', template = ''] = route.split(' ');
    const pathname = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => segmentOf(name, path[name]));
    const search = new URLSearchParams(given(query)).toString();
    const response = await fetch(`${base}${pathname}${search && `?${search}`}`, {
      method,
      headers: {
        ...given(header),
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      // The service never redirects. A redirect would send the secret to another server, and turn an order into a read.
      redirect: 'manual',
      signal: AbortSignal.timeout(TRY_MILLISECONDS),
    });
    return { status: response.status, headers: new Headers([...response.headers]), text: await response.text() };
  };
}

/**
 * @throws {RangeError} for a segment that `fetch` would drop, which would call another route: `.` below a list is the
 * list
 */
function segmentOf(name: string, value = ''): string {
  if (['', '.', '..'].includes(value)) throw new RangeError(`No path has the ${name} ${JSON.stringify(value)}.`);
  return encodeURIComponent(value);
}

export function given(values: Values = {}): Record<string, string> {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries.map(([name, value]) => [name, String(value)]));
}
