import type * as z from 'zod/mini';
import type { ErrorKind } from './api-errors.ts';

/**
 * Who may call a route: anyone; a client with an access token; such a client once it is approved; a provider, whose
 * guard is the signature of its notification; or an operator, an identity of the account that AWS has let in.
 */
export type Access = 'public' | 'client' | 'approved-client' | 'provider' | 'operator';

/** A day in UTC. */
type Day = `${number}-${number}-${number}`;

/** Bytes; every request of the interface fits many times over. */
export const LARGEST_BODY = 64 * 1024;

/** One route, written once: requests are parsed by it, answers shaped by it, the deployed route made from it. */
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
  /** The error for a path parameter that cannot be an id: the same as for one that does not exist. */
  readonly unknownPath: ErrorKind;
  /** Query parameters, each a text; what is not named here is ignored. */
  readonly query: Query;
  readonly body: Body;
  /** A call may come without a body: all of its members are optional. */
  readonly mayLackBody?: true;
  /** The most bytes of a body that are taken; `LARGEST_BODY` when not given. */
  readonly largestBody?: number;
  readonly success: {
    readonly status: 200 | 201 | 202 | 204;
    /** `noContent` with 204. */
    readonly body: Success;
    /** Of a body that is a text and not JSON; the first is the usual one. */
    readonly mediaTypes?: readonly [string, ...string[]];
  };
  readonly errors: readonly ErrorKind[];
  /** Stock OAuth clients call it: its errors have the members of OAuth too, as `application/json` (RFC 6749 §5.2). */
  readonly oauth?: true;
  /** Honours `Idempotency-Key`: the same request again under the same key gets the first answer. */
  readonly idempotent?: Once;
  /** Of a POST: the same request again has no further effect, so that a client may repeat it when the answer was lost. */
  readonly repeatable?: true;
  /** For changes by operators: names of ids; the first one that is given says what the change is about. */
  readonly subject?: readonly string[];
  /** It is going to end: days, the second at least half a year after the first (decisions.md 14, Versions). */
  readonly deprecated?: { readonly since: Day; readonly sunset: Day };
  /** Seconds for which anybody may keep a success, which then has an `ETag`; nobody may keep it when not given. */
  readonly cacheSeconds?: number;
}

/** Keeps the types of the schemas, and who may call the route how: the endpoints ask for them. */
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

/** A read that anybody may make, from scripts of any origin too. */
export function isPublicRead({ access, method }: Pick<Contract, 'access' | 'method'>): boolean {
  return access === 'public' && method === 'GET';
}

/** Every path of a contract with every method that it answers. The published contract has only its own method. */
export function methodsAndPathsOf(contract: Contract) {
  const methods = isPublicRead(contract) ? publicReadMethods : [contract.method];
  const paths = [contract.path, ...(contract.aliases ?? [])];
  return paths.flatMap((path) => methods.map((method) => ({ method, path })));
}
