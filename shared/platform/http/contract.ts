import type * as z from 'zod/mini';
import type { ErrorKind } from './api-errors.ts';

/**
 * Who may call a route: anyone; a client with an access token; such a client once it is approved; a provider, whose
 * notification must carry its signature; or an operator, an identity of the AWS account that AWS has let in.
 */
export type Access = 'public' | 'client' | 'approved-client' | 'provider' | 'operator';

/** A day in UTC. */
type Day = `${number}-${number}-${number}`;

/** Bytes, many times the size of any request of the interface. */
export const LARGEST_BODY = 64 * 1024;

/** One route, defined once: it parses the requests, shapes the answers and defines the deployed route. */
export interface Contract<
  PathParameters extends z.ZodMiniType = z.ZodMiniType,
  Body extends z.ZodMiniType = z.ZodMiniType,
  Success extends z.ZodMiniType = z.ZodMiniType,
  Query extends z.ZodMiniType = z.ZodMiniType,
  Who extends Access = Access,
  Once extends boolean = boolean,
> {
  /** Verb and noun: the folder of its function and the id of its construct. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/api/${string}` | `/operations/${string}`;
  /** Further paths that answer the same. */
  readonly aliases?: readonly `/api/${string}`[];
  readonly summary: string;
  readonly access: Who;
  readonly pathParameters: PathParameters;
  /** The error for a path parameter that cannot be an id: the same as for an id that does not exist. */
  readonly unknownPath: ErrorKind;
  /** Query parameters, each a text. Others are ignored, unless the schema is strict. */
  readonly query: Query;
  readonly body: Body;
  /** True if a call may come without a body: all members of the body are optional. */
  readonly mayLackBody?: true;
  /** The most bytes of a body; `LARGEST_BODY` when not given. */
  readonly largestBody?: number;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    /** `noContent` with 204. */
    readonly body: Success;
    /** Media types of a body that is text instead of JSON; the first is the usual one. */
    readonly mediaTypes?: readonly [string, ...string[]];
  };
  readonly errors: readonly ErrorKind[];
  /**
   * True if stock OAuth clients call the route: its errors then also have the members of OAuth, as `application/json`
   * (RFC 6749 §5.2).
   */
  readonly oauth?: true;
  /** True if the route honours `Idempotency-Key`: the same request under the same key gets the first answer again. */
  readonly idempotent?: Once;
  /** True for a POST that has no further effect when repeated, so that a client may repeat it after a lost answer. */
  readonly repeatable?: true;
  /** For changes by operators: names of ids. The first one that is given says what the change is about. */
  readonly subject?: readonly string[];
  /**
   * For a route that is going to end: the days of its deprecation and of its end, at least half a year apart
   * (decisions.md 14, Versions).
   */
  readonly deprecated?: { readonly since: Day; readonly sunset: Day };
  /** Seconds for which anybody may cache a success, which then has an `ETag`. When not given, nobody may cache it. */
  readonly cacheSeconds?: number;
}

/**
 * Returns the definition with its exact types, which the endpoints check: the schemas, the access and the idempotency.
 */
export function contract<
  P extends z.ZodMiniType,
  B extends z.ZodMiniType,
  S extends z.ZodMiniType,
  Q extends z.ZodMiniType,
  W extends Access,
  O extends boolean = false,
>(definition: Contract<P, B, S, Q, W, O>): Contract<P, B, S, Q, W, O> {
  return definition;
}

/** The methods of a public read (decisions.md 6). */
export const publicReadMethods = ['GET', 'HEAD', 'OPTIONS'] as const;

/** True for a read that anybody may make, also from scripts of any origin. */
export function isPublicRead({ access, method }: Pick<Contract, 'access' | 'method'>): boolean {
  return access === 'public' && method === 'GET';
}

/**
 * Every path of a contract with every method that it answers. The published interface has only the contract's own
 * method.
 */
export function methodsAndPathsOf(contract: Contract) {
  const methods = isPublicRead(contract) ? publicReadMethods : [contract.method];
  const paths = [contract.path, ...(contract.aliases ?? [])];
  return paths.flatMap((path) => methods.map((method) => ({ method, path })));
}
