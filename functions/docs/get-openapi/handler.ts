import { getOpenapiContract } from '#shared/docs/docs-contract.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { publicEndpoint } from '#shared/platform/http/endpoints.ts';
import description from '../../../openapi.json' with { type: 'json' };
import { getOpenapi } from './get-openapi.ts';

export function wire(clock: Clock) {
  return publicEndpoint(getOpenapiContract, clock, getOpenapi(description));
}

export const handler = wire(systemClock);
