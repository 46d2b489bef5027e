import * as z from 'zod/mini';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { noBody, noQuery } from '#shared/platform/http/fields.ts';

export const receiveRailNotificationContract = contract({
  name: 'receive-rail-notification',
  method: 'POST',
  path: '/api/payment-rail/notifications/{rail}',
  /** Leads to the stage's first rail. */
  aliases: ['/api/payment-rail/notifications'],
  summary: 'Receive a signed notification of a payment rail',
  access: 'provider',
  pathParameters: z.object({ rail: z.optional(z.string()) }),
  unknownPath: apiErrors.NOT_FOUND,
  query: noQuery,
  /** The rail's own format: its adapter verifies the signature over the raw bytes, then reads them. */
  body: noBody,
  success: { status: 200, body: z.object({ received: z.boolean() }) },
  errors: [apiErrors.UNAUTHORIZED, apiErrors.NOT_FOUND, apiErrors.PAYLOAD_TOO_LARGE, apiErrors.SERVICE_UNAVAILABLE],
});
