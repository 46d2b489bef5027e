import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { noBody, noQuery } from '#shared/platform/http/fields.ts';
import { deliveriesPath, delivery } from './delivery-contract.ts';
import { ofWebhook } from './webhook-contract.ts';

export const resendDelivery = contract({
  name: 'resend-delivery',
  method: 'POST',
  path: `${deliveriesPath}/{delivery_id}/resend`,
  summary: 'Send an event to a webhook once more, whether it arrived or not',
  access: 'approved-client',
  pathParameters: z.extend(ofWebhook, { delivery_id: z.string() }),
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: noBody,
  idempotent: true,
  success: { status: 202, body: delivery },
  refusals: [
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'FORBIDDEN',
    'WEBHOOK_NOT_FOUND',
    'DELIVERY_NOT_FOUND',
    'WEBHOOK_INACTIVE',
    'TOO_MANY_ATTEMPTS',
    'IDEMPOTENCY_IN_PROGRESS',
    'VALIDATION_FAILED',
    'IDEMPOTENCY_KEY_REUSED',
    'SERVICE_UNAVAILABLE',
  ],
});
