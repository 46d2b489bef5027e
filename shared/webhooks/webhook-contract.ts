import * as z from 'zod/mini';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject, documentValues } from '#shared/platform/http/document.ts';
import { id, instant, noBody, noQuery } from '#shared/platform/http/fields.ts';
import { deactivationReasons, webhookMethods, webhookProcesses } from './webhook.ts';

export const webhookMethod = z.enum(webhookMethods);

documentValues('WebhookMethod', webhookMethod, 'The HTTP method by which a webhook is called.', {
  POST: 'By POST.',
  PUT: 'By PUT.',
});

export const webhookProcess = z.enum(webhookProcesses);

documentValues('WebhookProcess', webhookProcess, 'What a webhook monitors.', {
  ramp: 'Pay-ins and off-ramps: events whose type begins with `ramp.`.',
  compliance: 'Compliance reviews: events whose type begins with `compliance.`.',
  wallet_transfer: 'Transfers between wallets: events whose type begins with `wallet_transfer.`.',
});

const deactivationReason = z.enum(deactivationReasons);

documentValues('DeactivationReason', deactivationReason, 'Why the service deactivated a webhook.', {
  ENDPOINT_GONE: 'The endpoint answered 410.',
  ENDPOINT_FAILING: 'The endpoint has taken nothing for five days.',
});

export const webhookFields = {
  id,
  method: webhookMethod,
  process: webhookProcess,
  status: z.boolean(),
  statusReason: z.optional(deactivationReason),
  parkedUntil: z.optional(instant),
  url: z.string(),
  userId: id,
};

/** A webhook as clients see it (interface 2.9). */
export const webhook = z.object(webhookFields);

documentObject('Webhook', webhook, "Where the client's notifications go.", {
  id: 'Id of the webhook.',
  method: 'The HTTP method by which it is called.',
  process: 'What it monitors: it is sent every event of this process.',
  status: 'True while it is active. An inactive webhook is sent nothing and keeps its configuration.',
  statusReason: 'Why the service deactivated it. Absent when it is active or the client deactivated it.',
  parkedUntil:
    'Until when nothing is sent, because the endpoint failed five times in a row. Absent otherwise. A good test, or a resend, ends it.',
  url: { description: 'The address that is called.', format: 'uri' },
  userId: "The user that it was set up for; the client's own id when none was named. It does not filter events.",
});

export const webhooksPath = '/api/webhooks/{clientId}';
export const ofClient = z.object({ clientId: id });

export const webhookPath = `${webhooksPath}/{webhook_id}` as const;
/** A webhook's id is a UUID; another text is no webhook's, which is found out after the client has been checked. */
export const ofWebhook = z.object({ clientId: id, webhook_id: z.string() });

export const listWebhooks = contract({
  name: 'list-webhooks',
  method: 'GET',
  path: webhooksPath,
  summary: "List the client's webhooks, active and inactive, oldest first",
  access: 'client',
  pathParameters: ofClient,
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: z.array(webhook) },
  refusals: ['UNAUTHORIZED', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'],
});

/** Interface 4.7. */
export const deactivateWebhook = contract({
  name: 'deactivate-webhook',
  method: 'DELETE',
  path: webhookPath,
  summary: 'Deactivate a webhook; its configuration is kept',
  access: 'approved-client',
  pathParameters: ofWebhook,
  unknownPath: 'FORBIDDEN',
  query: noQuery,
  body: noBody,
  success: { status: 200, body: webhook },
  refusals: ['UNAUTHORIZED', 'CLIENT_NOT_APPROVED', 'FORBIDDEN', 'WEBHOOK_NOT_FOUND', 'SERVICE_UNAVAILABLE'],
});
