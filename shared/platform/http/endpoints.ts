import type * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import type { Access, Contract } from './contract.ts';
import { endpoint } from './endpoint.ts';
import type { UseCase } from './use-case.ts';

/*
 * The ways in; for approved clients there is a fourth, approved-endpoint.ts. Each takes only contracts of its own access,
 * so that a route which its contract reserves for approved clients cannot be wired without that guard; whether a route
 * honours Idempotency-Key is checked in the use case's type.
 */

type Schema = z.ZodMiniType;

/** For anyone. */
export const publicEndpoint = endpointFor<'public'>();

/** For a provider, whose signature the use case verifies. */
export const providerEndpoint = endpointFor<'provider'>();

/** For an operator; what each of them may do is the policy of its identity. */
export const operatorEndpoint = endpointFor<'operator'>();

/** For a client with an access token, approved or not: it reads what is its own. */
export const clientEndpoint = endpointFor<'client'>();

function endpointFor<A extends Access>() {
  return <P extends Schema, B extends Schema, S extends Schema, Q extends Schema, O extends boolean>(
    contract: Contract<P, B, S, Q, A, O>,
    clock: Clock,
    useCase: UseCase<Contract<P, B, S, Q, A, O>>,
  ) => endpoint(contract, { authorise: anyCaller, clock }, useCase);
}

async function anyCaller(): Promise<void> {}
