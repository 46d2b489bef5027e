import type { Call } from './connect.ts';
import { routes } from './generated.ts';
import type { AnswerOf, RequestOf, Route } from './routes.ts';
import type { AnyRequest } from './send.ts';

type Paged = { [R in Route]: (typeof routes)[R] extends { readonly pagedBy: string } ? R : never };

/** A route whose list comes in pages. */
export type ListRoute = Paged[Route];

type PageOf<R extends ListRoute> = Extract<AnswerOf<R>, { readonly status: 200 }>['body'];
type ItemOf<R extends ListRoute> = Extract<PageOf<R>[keyof PageOf<R>], readonly unknown[]>[number];

/** A call without the types of its route: the request is checked already, and every page has these members. */
interface Reader {
  read(
    route: ListRoute,
    request: AnyRequest,
  ): Promise<{
    readonly body: { readonly nextCursor?: string | undefined; readonly hasMore?: boolean };
  }>;
}

/** Reads page after page, until the last one. A page may be empty and still not be the last. */
export function pagesOf<R extends ListRoute>(call: Call, route: R, request: RequestOf<R>): AsyncGenerator<PageOf<R>>;
export function pagesOf(call: Call, route: ListRoute, request: AnyRequest): AsyncGenerator<unknown> {
  return readPages({ read: call }, route, request);
}

/** Every item of a list, in its order. If you leave the loop, no further page is read. */
export function itemsOf<R extends ListRoute>(call: Call, route: R, request: RequestOf<R>): AsyncGenerator<ItemOf<R>>;
export async function* itemsOf(call: Call, route: ListRoute, request: AnyRequest): AsyncGenerator<unknown> {
  // A page has one list.
  for await (const page of readPages({ read: call }, route, request)) {
    yield* Object.values(page).find(Array.isArray) ?? [];
  }
}

async function* readPages({ read }: Reader, route: ListRoute, request: AnyRequest): AsyncGenerator<object> {
  let { query = {} } = request;
  for (;;) {
    const { body } = await read(route, { ...request, query });
    yield body;
    if (body.nextCursor === undefined || body.hasMore === false) return;
    query = { ...query, [routes[route].pagedBy]: body.nextCursor };
  }
}
