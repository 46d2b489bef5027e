import { getDocs as contract } from '#shared/contracts/docs.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { getDocs } from './get-docs.ts';

export function wire() {
  return publicEndpoint(contract, getDocs());
}

export const handler = wire();
