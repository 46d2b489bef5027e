import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { id, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

/** A word of compliance: `approved`, or any other result. */
const word = z.string().check(z.minLength(1), z.maxLength(64));
const result = { complianceStatus: z.optional(word), status: z.optional(word) };

/**
 * Plays compliance for the calling client (decisions.md 8). Works without approval, so that a client can approve itself
 * again. Never in production.
 */
export const simulateClientContract = contract({
  name: 'simulate-client',
  method: 'POST',
  path: '/api/sandbox/client',
  summary: 'Change the approval of the calling client, through the event that compliance would send',
  access: 'client',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  body: z.strictObject(result),
  success: { status: 202, body: z.object({ id, ...result }) },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

documentObject(
  'SimulateClientRequest',
  simulateClientContract.body,
  'The result of compliance for the client: complianceStatus, status or both.',
  {
    complianceStatus: 'Result of the compliance review: `approved`, or any other word for what is missing.',
    status: 'Whether the client is ready to operate: `approved`, or any other word for what is missing.',
  },
);

documentObject('SimulatedClient', simulateClientContract.success.body, 'A change that was accepted.', {
  id: 'The calling client.',
  complianceStatus: 'The result of the compliance review that was sent.',
  status: 'The readiness to operate that was sent.',
});
