import type { EndpointByMethod, routes } from './generated.ts';

/** A method and a path of the published interface: `GET /api/infoClient`. */
export type Route = keyof typeof routes;

type Endpoint<R extends Route> = R extends `${infer Method} ${infer Path}`
  ? Lowercase<Method> extends infer Verb extends keyof EndpointByMethod
    ? Path extends keyof EndpointByMethod[Verb]
      ? EndpointByMethod[Verb][Path]
      : never
    : never
  : never;

type Nothing = Record<never, never>;
type Parts<R extends Route> = Endpoint<R> extends { parameters: infer Parameters } ? Parameters : never;

/**
 * The request of a route: those of `path`, `query`, `header` and `body` that it has. A part without required fields may
 * be left out.
 */
export type RequestOf<R extends Route> = [Parts<R>] extends [never]
  ? Nothing
  : { [Part in keyof Parts<R> as Nothing extends Parts<R>[Part] ? never : Part]: Parts<R>[Part] } & {
      [Part in keyof Parts<R> as Nothing extends Parts<R>[Part] ? Part : never]?: OrUndefined<Parts<R>[Part]>;
    };

/** Allows `undefined`, so that the cursor of the previous page can be passed on as it is. */
type OrUndefined<Values> = { [Name in keyof Values]: Values[Name] | undefined };

export type ArgumentsOf<R extends Route> =
  Nothing extends RequestOf<R> ? [request?: RequestOf<R>] : [request: RequestOf<R>];

type Responses<R extends Route> = Endpoint<R> extends { responses: infer Bodies } ? Bodies : never;
type Success<R extends Route> = keyof Responses<R> & (200 | 201 | 202 | 204 | 304);

/** The successful answers of a route, by status. 204 has no body, and neither has 304, which If-None-Match asks for. */
export type AnswerOf<R extends Route> = {
  [Status in Success<R>]: {
    readonly status: Status;
    readonly headers: Headers;
    readonly body: Status extends 204 | 304 ? undefined : Responses<R>[Status];
  };
}[Success<R>];
