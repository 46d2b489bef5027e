import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noBody, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

/** Seconds for which anybody may keep the description. */
const DESCRIPTION_SECONDS = 300;

/** The published description of the whole interface, made from the contracts by `npm run openapi`. */
export const getOpenapi = contract({
  name: 'get-openapi',
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Read this description of the interface',
  access: 'public',
  pathParameters: noPathParameters,
  unknownPath: 'NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.looseObject({ openapi: z.string() }) },
  refusals: [],
  cacheSeconds: DESCRIPTION_SECONDS,
});

documentObject('OpenApiDocument', getOpenapi.success.body, 'This description, as OpenAPI.', {
  openapi: 'The version of OpenAPI that it is written in.',
});
