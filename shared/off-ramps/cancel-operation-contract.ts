import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { id, noBody, noQuery } from '#shared/platform/http/fields.ts';
import { operationWithHistoryResult } from './operation-contract.ts';

export const cancelOperation = contract({
  name: 'cancel-operation',
  method: 'POST',
  path: '/api/v1/admin/operation/{user_id}/withdrawal/{operation_id}/cancel',
  summary: 'Cancel an off-ramp for which no deposit has been seen',
  access: 'approved-client',
  pathParameters: z.object({ user_id: id, operation_id: id }),
  unknownPath: 'OFF_RAMP_NOT_FOUND',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: operationWithHistoryResult },
  refusals: [
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'OFF_RAMP_NOT_FOUND',
    'OPERATION_NOT_AWAITING_DEPOSIT',
    'DEPOSIT_IN_PROGRESS',
    'SERVICE_UNAVAILABLE',
  ],
});
