import { getOpenapi as contract, DESCRIPTION_SECONDS } from '#shared/contracts/openapi.ts';
import { anyCaller } from '#shared/http/authorisation.ts';
import { cacheable } from '#shared/http/cacheable.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import description from '../../../openapi.json' with { type: 'json' };
import { getOpenapi } from './get-openapi.ts';

export const handler = endpoint(contract, anyCaller, getOpenapi(description)).use(cacheable(DESCRIPTION_SECONDS));
