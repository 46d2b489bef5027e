import type * as z from 'zod/mini';
import type { Contract } from '#shared/platform/http/contract.ts';
import type { Call } from '#shared/platform/http/use-case.ts';
import { validate } from '#shared/platform/http/validation.ts';
import { httpRequest } from './http-request.ts';
import { CLIENT, OPERATION, USER, WEBHOOK } from './ids.ts';

/** The parameters of a route's path, unless a test gives others. */
const NAMED: Readonly<Record<string, string>> = {
  clientId: CLIENT,
  user_id: USER,
  operation_id: OPERATION,
  webhook_id: WEBHOOK,
};

interface Further {
  /** The calling client. */
  readonly clientId?: string;
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
  path: Readonly<Record<string, string>> = {},
  body: unknown = {},
  { clientId = CLIENT, query = {}, headers = {} }: Further = {},
): Call<Contract<P, B, S, Q>> {
  const names = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const pathParameters = Object.fromEntries(names.map((name) => [name, path[name] ?? NAMED[name] ?? '']));
  return {
    clientId,
    path: contract.pathParameters.parse(pathParameters),
    query: () => validate(contract.query, query, 'query'),
    body: () => validate(contract.body, body, 'body'),
    bytes: () => Buffer.from(JSON.stringify(body)),
    http: httpRequest('', headers, { route: `${contract.method} ${contract.path}`, pathParameters, query }),
  };
}
