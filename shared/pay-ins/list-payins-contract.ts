import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { externalReference, id, noBody } from '#shared/platform/http/fields.ts';
import { pageLimit } from '#shared/platform/http/page-limit.ts';
import { payinWithHistory } from './payin-contract.ts';

export const listPayins = contract({
  name: 'list-payins',
  method: 'GET',
  path: '/api/v1/admin/fiats/{user_id}/payin',
  summary: "List a user's pay-ins, newest first",
  access: 'client',
  pathParameters: z.object({ user_id: id }),
  unknownPath: 'USER_NOT_FOUND',
  query: z.object({
    externalReference: z.optional(externalReference),
    limit: pageLimit,
    cursor: z.optional(z.string()),
  }),
  body: noBody,
  success: { status: 200, body: z.object({ payins: z.array(payinWithHistory), nextCursor: z.optional(z.string()) }) },
  refusals: ['UNAUTHORIZED', 'USER_NOT_FOUND', 'VALIDATION_FAILED', 'SERVICE_UNAVAILABLE'],
});

documentObject('PayinPage', listPayins.success.body, "A page of a user's pay-ins.", {
  payins: 'The pay-ins of this page, newest first.',
  nextCursor: 'Opaque. Send it as `cursor` to get the next page; absent on the last one.',
});
