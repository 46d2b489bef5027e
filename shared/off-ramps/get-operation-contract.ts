import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { id, noBody, noQuery } from '#shared/platform/http/fields.ts';
import { operationWithHistoryResult } from './operation-contract.ts';

export const getOperation = contract({
  name: 'get-operation',
  method: 'GET',
  path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}',
  summary: 'Read an off-ramp with its status history',
  access: 'client',
  pathParameters: z.object({ user_id: id, operation_id: id }),
  unknownPath: 'OFF_RAMP_NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: operationWithHistoryResult },
  refusals: ['UNAUTHORIZED', 'OFF_RAMP_NOT_FOUND'],
});
