import type * as z from 'zod/mini';
import type { Contract } from '#shared/platform/http/contract.ts';
import type { Call } from '#shared/platform/http/use-case.ts';
import { validate } from '#shared/platform/http/validation.ts';
import { httpRequest } from './http-request.ts';
import { CLIENT } from './ids.ts';

interface Further {
  readonly query?: Readonly<Record<string, string>>;
  /** By lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A call of a route by the client as its use case sees it: path, query and body parsed by the contract. */
export function routeCall<
  P extends z.ZodMiniType,
  B extends z.ZodMiniType,
  S extends z.ZodMiniType,
  Q extends z.ZodMiniType,
>(
  contract: Contract<P, B, S, Q>,
  path: Readonly<Record<string, string>>,
  body: unknown = {},
  { query = {}, headers = {} }: Further = {},
): Call<Contract<P, B, S, Q>> {
  const pathParameters = { clientId: CLIENT, ...path };
  return {
    clientId: CLIENT,
    path: contract.pathParameters.parse(pathParameters),
    query: () => validate(contract.query, query, 'query'),
    body: () => validate(contract.body, body, 'body'),
    bytes: () => Buffer.from(JSON.stringify(body)),
    http: httpRequest('', headers, { route: `${contract.method} ${contract.path}`, pathParameters, query }),
  };
}
