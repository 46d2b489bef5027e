import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { id, noQuery } from '#shared/platform/http/fields.ts';

const endStatus = z.enum(['COMPLETED', 'FAILED', 'EXPIRED']);

documentValues('PayinEndStatus', endStatus, 'A status that a pay-in ends in.', {
  COMPLETED: 'It was paid.',
  FAILED: 'It was not paid.',
  EXPIRED: 'It was not paid in time.',
});

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
  body: z.object({ status: endStatus }),
  success: { status: 202, body: z.object({ id, status: endStatus }) },
  errors: [
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

documentObject('SimulatePayinRequest', simulatePayin.body, 'How the pay-in ends.', {
  status: 'The status that the pay-in is to end in.',
});

documentObject('SimulatedPayin', simulatePayin.success.body, 'An ending that was accepted.', {
  id: 'The pay-in.',
  status: 'The status that it will end in.',
});
