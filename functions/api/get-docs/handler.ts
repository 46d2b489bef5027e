import { getDocs as contract } from '#shared/contracts/docs.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { getDocs } from './get-docs.ts';

export const handler = endpoint(contract, anyCaller, getDocs());
