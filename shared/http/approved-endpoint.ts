import type * as z from 'zod/mini';
import type { Contract } from '#shared/contracts/contract.ts';
import type { FindClient } from '#shared/dynamodb/clients.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { approvedClients } from './authorisation.ts';
import { endpoint } from './endpoint.ts';
import type { UseCase } from './use-case.ts';

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
