import type * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { Contract } from '#shared/platform/http/contract.ts';
import { endpoint } from '#shared/platform/http/endpoint.ts';
import type { UseCase } from '#shared/platform/http/use-case.ts';
import { approvedClients } from './authorisation.ts';
import type { FindClient } from './client-store.ts';

type Schema = z.ZodMiniType;

/** For a client with an access token that is approved at this moment: everything that changes something (interface 5.4). */
export function approvedEndpoint<
  P extends Schema,
  B extends Schema,
  S extends Schema,
  Q extends Schema,
  O extends boolean,
>(
  contract: Contract<P, B, S, Q, 'approved-client', O>,
  clock: Clock,
  findClient: FindClient,
  useCase: UseCase<Contract<P, B, S, Q, 'approved-client', O>>,
) {
  return endpoint(contract, { authorise: approvedClients(findClient), clock }, useCase);
}
