import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { noBody, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

/** The simplest public read whose answer may be cached. */
export const publicList = contract({
  name: 'list-things',
  method: 'GET',
  path: '/api/things',
  aliases: ['/api/all-things'],
  summary: 'Lists things',
  access: 'public',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.array(z.string()) },
  errors: [],
  cacheSeconds: 300,
});
