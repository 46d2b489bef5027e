import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { noBody, noQuery } from '#shared/platform/http/fields.ts';
import { callResult } from './delivery-contract.ts';
import { ofWebhook, webhookPath } from './webhook-contract.ts';

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
    body: z.object({ delivered: z.boolean(), ...callResult }),
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

documentObject('WebhookTestResult', testWebhook.success.body, 'What came of a test event.', {
  delivered: 'Whether the endpoint answered 2xx.',
  statusCode: {
    description: 'The HTTP status that the endpoint answered. Absent when there was no answer.',
    minimum: 100,
    maximum: 999,
  },
  error: 'Why there was no answer. Absent when there was one.',
  durationMs: { description: 'How long the call took, in milliseconds.', minimum: 0 },
});
