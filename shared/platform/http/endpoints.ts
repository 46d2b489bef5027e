import type * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { Access, Contract } from './contract.ts';
import { endpoint } from './endpoint.ts';
import type { UseCase } from './use-case.ts';

/*
 * All endpoints but that for approved clients, which is in approved-endpoint.ts. Each takes only contracts of its own
 * access, so that a route whose contract reserves it for approved clients cannot be wired without that guard. The type
 * of the use case checks whether a route honours Idempotency-Key.
 */

type Schema = z.ZodMiniType;

/** For anyone. */
export const publicEndpoint = endpointFor<'public'>();

/** For a provider, whose signature the use case verifies. */
export const providerEndpoint = endpointFor<'provider'>();

/** For an operator; the policy of its identity says which routes it may call. */
export const operatorEndpoint = endpointFor<'operator'>();

/** For a client with an access token, approved or not, which reads its own data. */
export const clientEndpoint = endpointFor<'client'>();

function endpointFor<A extends Access>() {
  return <P extends Schema, B extends Schema, S extends Schema, Q extends Schema, O extends boolean>(
    contract: Contract<P, B, S, Q, A, O>,
    clock: Clock,
    useCase: UseCase<Contract<P, B, S, Q, A, O>>,
  ) => endpoint(contract, { authorise: anyCaller, clock }, useCase);
}

async function anyCaller(): Promise<void> {}
