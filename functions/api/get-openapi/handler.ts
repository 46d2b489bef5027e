import { getOpenapi as contract } from '#shared/contracts/openapi.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import description from '../../../openapi.json' with { type: 'json' };
import { getOpenapi } from './get-openapi.ts';

export function wire() {
  return publicEndpoint(contract, getOpenapi(description));
}

export const handler = wire();
