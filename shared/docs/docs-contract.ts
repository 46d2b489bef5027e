import * as z from 'zod/mini';
import { DOCS_PATH } from '#shared/platform/http/answer.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noBody, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

/** Seconds for which anybody may cache the documentation; the same for pages and their files, which change together. */
const CACHE_SECONDS = 300;

/** Placeholder in the files of the site for the path below which they are served. */
export const SITE_BASE = '/__docs__/';

/** Guides for developers, as pages and as Markdown, and the page of all routes. No file comes from another host. */
export const getDocsContract = contract({
  name: 'get-docs',
  method: 'GET',
  path: DOCS_PATH,
  aliases: [`${DOCS_PATH}/{file+}`],
  summary: 'Read the guides and the reference as pages',
  access: 'public',
  pathParameters: z.object({ file: z.optional(z.string()) }),
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: {
    status: 200,
    body: z.string(),
    mediaTypes: ['text/html', 'text/javascript', 'text/css', 'text/markdown', 'text/plain', 'application/json'],
  },
  errors: [apiErrors.NOT_FOUND],
  cacheSeconds: CACHE_SECONDS,
});

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
  errors: [apiErrors.VALIDATION_FAILED],
  cacheSeconds: CACHE_SECONDS,
});

documentObject('OpenApiDocument', getOpenapiContract.success.body, 'This description, as OpenAPI.', {
  openapi: 'Its version of OpenAPI.',
});
