import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { payinErrors } from '#shared/pay-ins/pay-in-errors.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { id, noQuery } from '#shared/platform/http/fields.ts';

const endStatus = z.enum(['COMPLETED', 'FAILED', 'EXPIRED']);

documentValues('PayinEndStatus', endStatus, 'A final status of a pay-in.', {
  COMPLETED: 'It was paid.',
  FAILED: 'It was not paid.',
  EXPIRED: 'It was not paid in time.',
});

const simulatePayinRequest = z.strictObject({
  status: z.optional(endStatus),
  paidAmount: z.optional(z.number()),
  reversed: z.optional(z.boolean()),
});

documentObject(
  'SimulatePayinRequest',
  simulatePayinRequest,
  "The rail's report of the payment: exactly one of status and reversed.",
  {
    status: 'The final status of the payment. COMPLETED can be sent again, with another amount.',
    paidAmount: {
      description:
        'The amount at the rail, with at most two decimals; only with COMPLETED. By default the ordered amount.',
      format: 'double',
    },
    reversed: 'For a completed pay-in: whether the rail has taken all of the money back.',
  },
);

const simulatedPayin = z.object({ id, status: endStatus, reversed: z.optional(z.boolean()) });

documentObject('SimulatedPayin', simulatedPayin, 'A simulation that was accepted.', {
  id: 'The pay-in.',
  status: 'The future final status, or the current one when money is taken back.',
  reversed: 'The value that was sent.',
});

/** Plays the rail for a payment (decisions.md 8). Never in production. */
export const simulatePayinContract = contract({
  name: 'simulate-payin',
  method: 'POST',
  path: '/api/sandbox/payins/{payin_id}',
  summary: 'End a simulated pay-in, or take its money back, through the signed notification of the rail',
  access: 'approved-client',
  repeatable: true,
  pathParameters: z.object({ payin_id: id }),
  unknownPath: payinErrors.PAYIN_NOT_FOUND,
  query: noQuery,
  body: simulatePayinRequest,
  success: { status: 202, body: simulatedPayin },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    payinErrors.PAYIN_NOT_FOUND,
    payinErrors.PAYIN_STATUS_CONFLICT,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
