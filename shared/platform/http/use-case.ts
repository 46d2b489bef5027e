import type * as z from 'zod/mini';
import type { Fields } from '#shared/platform/logger.ts';
import type { Contract } from './contract.ts';
import type { HttpRequest } from './event.ts';

/** A request as a use case sees it, with the forms of its body that the contract allows. */
export type Call<C extends Contract> = Asked<C> & ParsedBody<C> & BodyBytes<C>;

interface Asked<C extends Contract> {
  /** The calling client; empty on routes that need no access token. */
  readonly clientId: string;
  readonly path: z.infer<C['pathParameters']>;
  /** Validates the query parameters; called by the use case, like `body`. */
  readonly query: () => z.infer<C['query']>;
  readonly http: Omit<HttpRequest, 'rawBody'>;
}

/** The contract does not parse a provider's body, which has its own format. */
type ParsedBody<C extends Contract> = C['access'] extends 'provider'
  ? unknown
  : {
      /** Reads and validates the body. The use case calls it, because it checks the path's resource first. */
      readonly body: () => z.infer<C['body']>;
    };

/** Raw bytes, because providers sign bytes and stock OAuth clients send a form; a client with a token sends JSON. */
type BodyBytes<C extends Contract> = C['access'] extends 'client' | 'approved-client'
  ? unknown
  : {
      /** The body as it was sent, up to the limit of the contract. */
      readonly bytes: () => Buffer;
    };

interface Content<C extends Contract> {
  readonly body: z.infer<C['success']['body']>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Ids of what was made, for the log line of the request. */
  readonly ids?: Fields;
}

/**
 * Marks an answer that `runIdempotently` made or replayed. An idempotent route has only such answers; other routes have
 * none.
 */
export interface MadeOnce {
  readonly isMadeOnce: true;
}

type Making<C extends Contract> = C extends { readonly idempotent?: true }
  ? MadeOnce
  : C extends { readonly idempotent?: false }
    ? { readonly isMadeOnce?: never }
    : unknown;

export type UseCase<C extends Contract> = (call: Call<C>) => Promise<Content<C> & Making<C>>;
