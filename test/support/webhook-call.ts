import type * as z from 'zod/mini';
import type { Contract } from '#shared/contracts/contract.ts';
import type { Call } from '#shared/http/endpoint.ts';
import { validate } from '#shared/http/validation.ts';
import type { GuardTarget } from '#shared/webhooks/target-guard.ts';
import { parseWebhookTarget } from '#shared/webhooks/webhook-target.ts';
import { httpRequest } from './http-request.ts';
import { CLIENT } from './off-ramp.ts';

/** A call of a webhook route as its use case sees it: path and body parsed by the contract. */
export function webhookCall<P extends z.ZodMiniType, B extends z.ZodMiniType, S extends z.ZodMiniType>(
  contract: Contract<P, B, S>,
  path: Readonly<Record<string, string>>,
  body: unknown = {},
): Call<Contract<P, B, S>> {
  return {
    clientId: CLIENT,
    path: contract.pathParameters.parse({ clientId: CLIENT, ...path }),
    query: () => contract.query.parse({}),
    body: () => validate(contract.body, body, 'body'),
    http: httpRequest(''),
  };
}

/** The guard without DNS: every name is public. */
export const guardWithoutDns: GuardTarget = async (text) => {
  const { url, addresses = ['8.8.8.8'] } = parseWebhookTarget(text, { allowsThisMachine: false });
  return { url, addresses };
};
