import { getDocs as contract } from '#shared/contracts/docs.ts';
import { publicEndpoint } from '#shared/http/endpoints.ts';
import { getDocs } from './get-docs.ts';

export const handler = publicEndpoint(contract, getDocs());
