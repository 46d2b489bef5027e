import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { operatorEndpoint } from '#shared/platform/http/endpoints.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';

export type Handler = ReturnType<typeof operatorEndpoint>;

/** The path is all that says which route was called. */
const routed = z.object({ resource: z.string() });

/** One handler for several routes of operators, which it tells apart by path. */
export function routeByPath(handlers: ReadonlyMap<string, Handler>): Handler {
  return async (event: unknown, context: Context) => {
    const { resource } = routed.parse(event);
    const handler = handlers.get(resource);
    if (handler === undefined) throw new Error(`No route of operators has the path ${resource}.`);
    return handler(event, context);
  };
}

/** Any contract of a lookup. */
type Lookup = Contract<z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, z.ZodMiniType, 'operator', false>;

/** Registers a lookup by its path. */
export function createRegisterLookup(clock: Clock) {
  return <C extends Lookup>(contract: C, useCase: UseCase<C>): readonly [string, Handler] => [
    contract.path,
    operatorEndpoint(contract, clock, useCase),
  ];
}
