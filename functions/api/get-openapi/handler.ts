import { getOpenapi as contract } from '#shared/contracts/openapi.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import description from '../../../openapi.json' with { type: 'json' };
import { getOpenapi } from './get-openapi.ts';

export const handler = endpoint(contract, anyCaller, getOpenapi(description));
