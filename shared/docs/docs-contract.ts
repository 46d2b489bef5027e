import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noBody, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

/** Seconds: a day, as they change with the version of the page only. */
const ASSET_SECONDS = 24 * 3600;

const path = '/api/docs';

export const getDocsContract = contract({
  name: 'get-docs',
  method: 'GET',
  path,
  summary: 'Read this description as a page',
  access: 'public',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.string(), mediaTypes: ['text/html'] },
  errors: [],
});

/** The page's own assets, with the licences of others' work. None comes from another host. */
export const docsAssets = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'show-docs.js',
] as const;

export const getDocsAssetContract = contract({
  name: 'get-docs-asset',
  method: 'GET',
  path: `${path}/{asset}`,
  summary: 'Load a style sheet or a script of the page, or their licences',
  access: 'public',
  pathParameters: z.object({ asset: z.enum(docsAssets) }),
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.string(), mediaTypes: ['text/javascript', 'text/css', 'text/plain'] },
  errors: [apiErrors.NOT_FOUND],
  cacheSeconds: ASSET_SECONDS,
});

/** Seconds for which anybody may cache the description. */
const DESCRIPTION_SECONDS = 300;

/** The published description of the whole interface, made from the contracts by `npm run openapi`. */
export const getOpenapiContract = contract({
  name: 'get-openapi',
  method: 'GET',
  path: '/api/openapi.json',
  summary: 'Read this description of the interface',
  access: 'public',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: z.strictObject({ without: z.optional(z.literal('webhooks')) }),
  body: noBody,
  success: { status: 200, body: z.looseObject({ openapi: z.string() }) },
  errors: [],
  cacheSeconds: DESCRIPTION_SECONDS,
});

documentObject('OpenApiDocument', getOpenapiContract.success.body, 'This description, as OpenAPI.', {
  openapi: 'Its version of OpenAPI.',
});
