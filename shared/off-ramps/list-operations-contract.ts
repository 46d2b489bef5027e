import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { externalReference, id, noBody } from '#shared/platform/http/fields.ts';
import { pageLimit } from '#shared/platform/http/page-limit.ts';
import { operation, operationStatus } from './operation-contract.ts';

/** `limit` comes as a text, like every query parameter. */
export const listOperations = contract({
  name: 'list-operations',
  method: 'GET',
  path: '/api/v1/admin/operation/{user_id}/withdrawal',
  summary: "List a user's off-ramps, newest first",
  access: 'client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: 'USER_NOT_FOUND',
  query: z.object({
    status: z.optional(operationStatus),
    externalReference: z.optional(externalReference),
    limit: pageLimit,
    cursor: z.optional(z.string()),
  }),
  body: noBody,
  success: {
    status: 200,
    body: z.object({ operations: z.array(operation), nextCursor: z.optional(z.string()) }),
  },
  refusals: ['UNAUTHORIZED', 'USER_NOT_FOUND', 'VALIDATION_FAILED', 'SERVICE_UNAVAILABLE'],
});

documentObject('OperationPage', listOperations.success.body, "A page of a user's off-ramps.", {
  operations: 'The off-ramps of this page, newest first.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});
