import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { id, noQuery } from './fields.ts';

/** Ends a pay-in as the payer or the rail would (decisions.md 8). Never in production. */
export const simulatePayin = contract({
  name: 'simulate-payin',
  method: 'POST',
  path: '/api/sandbox/payins/{payin_id}',
  summary: 'End a simulated pay-in, through the signed notification of the rail',
  access: 'approved-client',
  pathParameters: z.object({ payin_id: id }),
  unknownPath: 'PAYIN_NOT_FOUND',
  query: noQuery,
  body: z.object({ status: z.enum(['COMPLETED', 'FAILED', 'EXPIRED']) }),
  success: { status: 202, body: z.object({ id, status: z.enum(['COMPLETED', 'FAILED', 'EXPIRED']) }) },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'PAYIN_NOT_FOUND',
    'PAYIN_STATUS_CONFLICT',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'SERVICE_UNAVAILABLE',
  ],
});
