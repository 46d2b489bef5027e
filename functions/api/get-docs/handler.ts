import { getDocs as contract } from '#shared/contracts/docs.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { getDocs } from './get-docs.ts';

export function wire(clock: Clock) {
  return publicEndpoint(contract, clock, getDocs());
}

export const handler = wire(systemClock);
