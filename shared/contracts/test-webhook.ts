import * as z from 'zod/mini';
import { callErrors } from '#shared/domain/delivery-verdict.ts';
import { contract } from './contract.ts';
import { noBody, noQuery } from './fields.ts';
import { ofWebhook, webhookPath } from './webhook.ts';

export const testWebhook = contract({
  name: 'test-webhook',
  method: 'POST',
  path: `${webhookPath}/test`,
  summary: 'Send a webhook a test event now, and answer what came of it',
  access: 'approved-client',
  pathParameters: ofWebhook,
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: noBody,
  success: {
    status: 200,
    body: z.object({
      /** The endpoint answered 2xx. */
      delivered: z.boolean(),
      statusCode: z.optional(z.int()),
      error: z.optional(z.enum(callErrors)),
      durationMs: z.int(),
    }),
  },
  refusals: [
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'FORBIDDEN',
    'WEBHOOK_NOT_FOUND',
    'WEBHOOK_INACTIVE',
    'SERVICE_UNAVAILABLE',
  ],
});
