import * as z from 'zod/mini';
import { LONGEST_WEBHOOK_URL, webhookMethods, webhookProcesses } from '#shared/domain/webhook.ts';
import { contract } from './contract.ts';
import { id, noBody, noContent, noQuery } from './fields.ts';
import { ofClient, ofWebhook, webhook, webhookFields, webhookPath, webhooksPath } from './webhook.ts';

/** Additions to the interface (decisions.md 7, Managing). */

/** With its secret (Standard Webhooks 1.0), which is shown by the answer that made it and never again. */
const webhookWithSecret = z.object({ ...webhookFields, secret: z.string() });

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
    process: z.enum(webhookProcesses),
    method: z._default(z.enum(webhookMethods), 'POST'),
    /** A user of the client; the client itself when not given. */
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
    /** Reactivates; DELETE deactivates. */
    status: z.optional(z.literal(true)),
    url: z.optional(urlIn),
    method: z.optional(z.enum(webhookMethods)),
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
