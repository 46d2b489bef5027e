import { getDocsContract } from '#shared/docs/docs-contract.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { publicEndpoint } from '#shared/platform/http/endpoints.ts';
import { getDocs } from './get-docs.ts';

export function wire(clock: Clock) {
  return publicEndpoint(getDocsContract, clock, getDocs());
}

export const handler = wire(systemClock);
