import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { id, instant, noQuery } from '#shared/platform/http/fields.ts';
import { endStatus, statusReason } from './incoming-off-ramp-status.ts';
import { operationStatus } from './operation-contract.ts';

/** Does to an operation what time, payouts or compliance would do (decisions.md 8). Never in production. */
export const simulateOperation = contract({
  name: 'simulate-operation',
  method: 'POST',
  path: '/api/sandbox/operations/{operation_id}',
  summary: 'End an off-ramp as payouts or compliance would, let it expire, or hold its payout',
  access: 'approved-client',
  pathParameters: z.object({ operation_id: id }),
  unknownPath: 'OFF_RAMP_NOT_FOUND',
  query: noQuery,
  body: z.object({
    status: z.optional(endStatus),
    reason: z.optional(statusReason),
    expire: z.optional(z.literal(true)),
    hold: z.optional(z.literal(true)),
  }),
  success: { status: 202, body: z.object({ id, status: operationStatus, expiresAt: z.optional(instant) }) },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'OFF_RAMP_NOT_FOUND',
    'OPERATION_STATUS_CONFLICT',
    'TX_HASH_ALREADY_DECLARED',
    'TOO_MANY_ATTEMPTS',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'SERVICE_UNAVAILABLE',
  ],
});

documentObject(
  'SimulateOperationRequest',
  simulateOperation.body,
  'What happens to the off-ramp: exactly one of status, expire and hold.',
  {
    status: 'The status that the off-ramp is to end in.',
    reason: 'Why, only with status. It is shown in the status history of the off-ramp.',
    expire: 'Ends the window of the off-ramp now. A reported hash is checked once more.',
    hold: 'Keeps the simulated payout from completing the off-ramp, until a call with status ends it.',
  },
);

documentObject('SimulatedOperation', simulateOperation.success.body, 'A simulation that was accepted.', {
  id: 'The off-ramp.',
  status: 'The status that it will end in or, when it expires or is held, the status that it has.',
  expiresAt: 'When its window has ended. Only after expire.',
});
