import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { id, noBody, noQuery } from '#shared/platform/http/fields.ts';
import { payinWithHistory } from './payin-contract.ts';

export const getPayin = contract({
  name: 'get-payin',
  method: 'GET',
  path: '/api/v1/admin/fiats/{user_id}/payin/{payin_id}',
  summary: 'Read a pay-in with its status history',
  access: 'client',
  pathParameters: z.object({ user_id: id, payin_id: id }),
  unknownPath: 'PAYIN_NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: payinWithHistory },
  refusals: ['UNAUTHORIZED', 'PAYIN_NOT_FOUND'],
});
