import * as z from 'zod/mini';
import { deactivationReasons, webhookMethods, webhookProcesses } from '#shared/domain/webhook.ts';
import { contract } from './contract.ts';
import { id, instant, noBody, noQuery } from './fields.ts';

export const webhookFields = {
  id,
  method: z.enum(webhookMethods),
  process: z.enum(webhookProcesses),
  /** True while it is active. */
  status: z.boolean(),
  /** Only while inactive, and only when the service deactivated it: why. */
  statusReason: z.optional(z.enum(deactivationReasons)),
  /** Only while its deliveries are parked, because its endpoint failed five times in a row: until when. */
  parkedUntil: z.optional(instant),
  url: z.string(),
  userId: id,
};

/** A webhook as clients see it (interface 2.9). */
export const webhook = z.object(webhookFields);

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
