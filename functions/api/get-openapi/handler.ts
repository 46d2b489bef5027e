import { getOpenapi as contract } from '#shared/contracts/openapi.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import description from '../../../openapi.json' with { type: 'json' };
import { getOpenapi } from './get-openapi.ts';

export function wire(clock: Clock) {
  return publicEndpoint(contract, clock, getOpenapi(description));
}

export const handler = wire(systemClock);
