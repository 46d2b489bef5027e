import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import type { operatorEndpoint } from '#shared/platform/http/endpoints.ts';

export type Handler = ReturnType<typeof operatorEndpoint>;

/** Only the path says which route was called. */
const routed = z.object({ resource: z.string() });

/** One function for all routes of operators of a kind, by their paths. */
export function byPath(handlers: ReadonlyMap<string, Handler>): Handler {
  return async (event: unknown, context: Context) => {
    const { resource } = routed.parse(event);
    const handler = handlers.get(resource);
    if (handler === undefined) throw new Error(`${resource} is no route of operators.`);
    return handler(event, context);
  };
}
