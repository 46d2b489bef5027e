import * as z from 'zod/mini';
import { operationStatuses } from '#shared/domain/operation.ts';
import { contract } from './contract.ts';
import { externalReference, id, noBody } from './fields.ts';
import { operation } from './operation.ts';
import { pageLimit } from './page-limit.ts';

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
    status: z.optional(z.enum(operationStatuses)),
    externalReference: z.optional(externalReference),
    limit: pageLimit,
    cursor: z.optional(z.string()),
  }),
  body: noBody,
  success: {
    status: 200,
    /** `nextCursor` is absent on the last page, and only there. */
    body: z.object({ operations: z.array(operation), nextCursor: z.optional(z.string()) }),
  },
  refusals: ['UNAUTHORIZED', 'USER_NOT_FOUND', 'VALIDATION_FAILED', 'SERVICE_UNAVAILABLE'],
});
