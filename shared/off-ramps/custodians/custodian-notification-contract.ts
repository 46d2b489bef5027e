import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { noBody, noPathParameters, noQuery } from '#shared/platform/http/fields.ts';

export const receiveCustodianNotificationContract = contract({
  name: 'receive-custodian-notification',
  method: 'POST',
  path: '/api/custodian/notifications',
  summary: 'Receive a signed notification of the custodian',
  access: 'provider',
  pathParameters: noPathParameters,
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  /** The custodian's own format: its adapter verifies the signature over the raw bytes, then reads them. */
  body: noBody,
  /** Notifications carry whole transactions. */
  largestBody: 256 * 1024,
  success: { status: 200, body: z.object({ received: z.boolean() }) },
  errors: [
    apiErrors.UNAUTHORIZED,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
