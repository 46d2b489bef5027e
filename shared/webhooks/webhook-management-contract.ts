import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { id, noBody, noContent, noQuery } from '#shared/platform/http/fields.ts';
import { LONGEST_WEBHOOK_URL } from './webhook.ts';
import {
  ofClient,
  ofWebhook,
  webhook,
  webhookFields,
  webhookMethod,
  webhookPath,
  webhookProcess,
  webhooksPath,
} from './webhook-contract.ts';

/** Additions to the interface (decisions.md 7, Managing). */

/** With its secret (Standard Webhooks 1.0), which is shown by the answer that made it and never again. */
const webhookWithSecret = z.object({ ...webhookFields, secret: z.string() });

documentObject(
  'WebhookWithSecret',
  webhookWithSecret,
  'A webhook with its secret, which no later answer shows.',
  {
    secret: {
      description: 'The secret that signs the calls (Standard Webhooks 1.0): `whsec_` and the key in base64.',
      pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
    },
  },
  webhook,
);

const urlIn = z.string().check(z.maxLength(LONGEST_WEBHOOK_URL));

export const registerWebhook = contract({
  name: 'register-webhook',
  method: 'POST',
  path: webhooksPath,
  summary: 'Register a webhook; its secret is shown this once',
  access: 'approved-client',
  pathParameters: ofClient,
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: z.object({
    url: urlIn,
    process: webhookProcess,
    method: z._default(webhookMethod, 'POST'),
    userId: z.optional(id),
  }),
  success: { status: 201, body: webhookWithSecret },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'FORBIDDEN',
    'USER_NOT_FOUND',
    'TOO_MANY_WEBHOOKS',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'SERVICE_UNAVAILABLE',
  ],
});

documentObject('RegisterWebhookRequest', registerWebhook.body, 'What a webhook monitors, and where it is called.', {
  url: {
    description: 'A public https address on port 443 or 8443, without user name and password.',
    format: 'uri',
  },
  process: 'What the webhook monitors.',
  method: 'The HTTP method by which it is called.',
  userId: 'A user of the client that the webhook is for; the client itself when left out. It does not filter events.',
});

export const updateWebhook = contract({
  name: 'update-webhook',
  method: 'PATCH',
  path: webhookPath,
  summary: 'Change or reactivate a webhook',
  access: 'approved-client',
  pathParameters: ofWebhook,
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: z.object({
    status: z.optional(z.literal(true)),
    url: z.optional(urlIn),
    method: z.optional(webhookMethod),
  }),
  success: { status: 200, body: webhook },
  refusals: [
    'MALFORMED_JSON',
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'FORBIDDEN',
    'WEBHOOK_NOT_FOUND',
    'PAYLOAD_TOO_LARGE',
    'UNSUPPORTED_MEDIA_TYPE',
    'VALIDATION_FAILED',
    'SERVICE_UNAVAILABLE',
  ],
});

documentObject('UpdateWebhookRequest', updateWebhook.body, 'What is to change; what is left out stays as it is.', {
  status: 'True reactivates the webhook; DELETE deactivates it.',
  url: {
    description: 'A public https address on port 443 or 8443, without user name and password.',
    format: 'uri',
  },
  method: 'The HTTP method by which it is called.',
});

export const rotateWebhookSecret = contract({
  name: 'rotate-webhook-secret',
  method: 'POST',
  path: `${webhookPath}/secret`,
  summary: 'Give a webhook a new secret; the one before stays valid for 24 hours',
  access: 'approved-client',
  pathParameters: ofWebhook,
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: webhookWithSecret },
  refusals: ['UNAUTHORIZED', 'CLIENT_NOT_APPROVED', 'FORBIDDEN', 'WEBHOOK_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});

export const removeWebhook = contract({
  name: 'remove-webhook',
  method: 'DELETE',
  path: `${webhookPath}/record`,
  summary: 'Remove an inactive webhook for good',
  access: 'approved-client',
  pathParameters: ofWebhook,
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: noBody,
  success: { status: 204, body: noContent },
  refusals: [
    'UNAUTHORIZED',
    'CLIENT_NOT_APPROVED',
    'FORBIDDEN',
    'WEBHOOK_NOT_FOUND',
    'WEBHOOK_ACTIVE',
    'SERVICE_UNAVAILABLE',
  ],
});
