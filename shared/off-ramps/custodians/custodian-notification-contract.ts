import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { noBody, noQuery } from '#shared/platform/http/fields.ts';

export const receiveCustodianNotificationContract = contract({
  name: 'receive-custodian-notification',
  method: 'POST',
  path: '/api/custodian/notifications/{custodian}',
  /** Leads to the stage's first custodian that sends notifications. */
  aliases: ['/api/custodian/notifications'],
  summary: 'Receive a signed notification of a custodian',
  access: 'provider',
  pathParameters: z.object({ custodian: z.optional(z.string()) }),
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  /** The custodian's own format: its adapter verifies the signature over the raw bytes, then reads them. */
  body: noBody,
  /** Notifications carry whole transactions. */
  largestBody: 256 * 1024,
  success: { status: 200, body: z.object({ received: z.boolean() }) },
  errors: [
    apiErrors.UNAUTHORIZED,
    apiErrors.NOT_FOUND,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});
