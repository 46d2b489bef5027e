import * as z from 'zod/mini';
import { contract } from './contract.ts';
import { documentObject } from './document.ts';
import { id, noQuery } from './fields.ts';
import { endStatus, statusReason } from './incoming-events.ts';

/** Ends an operation as payouts or compliance would (decisions.md 8). Never in production. */
export const simulateOperation = contract({
  name: 'simulate-operation',
  method: 'POST',
  path: '/api/sandbox/operations/{operation_id}',
  summary: 'End an off-ramp, through the event that payouts or compliance would send',
  access: 'approved-client',
  pathParameters: z.object({ operation_id: id }),
  unknownPath: 'OFF_RAMP_NOT_FOUND',
  query: noQuery,
  body: z.object({ status: endStatus, reason: z.optional(statusReason) }),
  success: { status: 202, body: z.object({ id, status: endStatus }) },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'OFF_RAMP_NOT_FOUND',
    'OPERATION_STATUS_CONFLICT',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'SERVICE_UNAVAILABLE',
  ],
});

documentObject('SimulateOperationRequest', simulateOperation.body, 'How the off-ramp ends.', {
  status: 'The status that the off-ramp is to end in.',
  reason: 'Why. It is shown in the status history of the off-ramp.',
});

documentObject('SimulatedOperation', simulateOperation.success.body, 'An ending that was accepted.', {
  id: 'The off-ramp.',
  status: 'The status that it will end in.',
});
