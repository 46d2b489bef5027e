import * as z from 'zod/mini';
import { clientErrors } from '#shared/clients/client-errors.ts';
import { apiErrors } from '#shared/platform/http/api-errors.ts';
import { contract } from '#shared/platform/http/contract.ts';
import { documentObject } from '#shared/platform/http/document.ts';
import { id, instant, noBody, noContent, noParameters, noQuery } from '#shared/platform/http/fields.ts';
import { webhookErrors } from '#shared/webhooks/contract/webhook-errors.ts';
import { LONGEST_WEBHOOK_URL, type Webhook, webhook } from '#shared/webhooks/model/webhook.ts';
import type { Circuit } from '#shared/webhooks/model/webhook-health.ts';

const WEBHOOKS_PATH = '/api/webhooks/{clientId}';
export const WEBHOOK_PATH = `${WEBHOOKS_PATH}/{webhook_id}` as const;

const ofClient = z.object({ clientId: id });

/** `webhook_id` may be any text: the client id is checked first, and then a text that is no UUID is not found. */
export const webhookPathParameters = z.object({ clientId: id, webhook_id: z.string() });

/** A webhook as clients see it (interface 2.9). */
export const webhookAnswer = z.object({
  id: webhook.shape.webhookId,
  ...z.pick(webhook, { method: true, process: true, status: true, statusReason: true, deactivatedAt: true }).shape,
  parkedUntil: z.optional(instant),
  deliveriesPausedAt: z.optional(instant),
  ...z.pick(webhook, { url: true, userId: true }).shape,
});

documentObject('Webhook', webhookAnswer, "An endpoint for the client's notifications.", {
  id: 'Id of the webhook.',
  method: 'The HTTP method of its calls.',
  process: 'The process whose events it receives.',
  status: 'True while it is active. An inactive webhook receives nothing and keeps its configuration.',
  statusReason:
    'Why the service deactivated it. Absent if it is active or the client deactivated it. `PATCH` `{"status": true}` reactivates it.',
  deactivatedAt:
    'When the service deactivated it, beside `statusReason`. Later events were not delivered, nor earlier ones that still waited: with `ENDPOINT_FAILING`, those of the five days before. Replay from six days before this time, or read the feed of events if that is more than 14 days ago.',
  parkedUntil:
    'Nothing is sent until this time, because the endpoint failed five times in a row. Absent otherwise. A successful test, or a resend, ends it.',
  deliveriesPausedAt:
    'Since when it gets no new deliveries, because the endpoint has failed for a day. Absent otherwise. Missed events are sent once the endpoint answers again.',
  url: { description: 'The address of its calls.', format: 'uri' },
  userId: "The user for whom it was registered; by default the client's own id. It does not filter events.",
});

/** A webhook with its secret (Standard Webhooks 1.0), which is shown only once, when it is created. */
const webhookWithSecret = z.extend(webhookAnswer, { secret: z.string() });

documentObject(
  'WebhookWithSecret',
  webhookWithSecret,
  'A webhook with its secret. No later answer shows the secret.',
  {
    secret: {
      description: 'The secret that signs the calls (Standard Webhooks 1.0): `whsec_` and the key in base64.',
      pattern: '^whsec_[A-Za-z0-9+/]+={0,2}$',
    },
  },
  webhookAnswer,
);

export const listWebhooksContract = contract({
  name: 'list-webhooks',
  method: 'GET',
  path: WEBHOOKS_PATH,
  summary: "List the client's webhooks, active and inactive, oldest first",
  access: 'client',
  pathParameters: ofClient,
  unknownPath: apiErrors.FORBIDDEN,
  query: noParameters,
  body: noBody,
  success: { status: 200, body: z.array(webhookAnswer) },
  errors: [apiErrors.UNAUTHORIZED, apiErrors.FORBIDDEN, apiErrors.VALIDATION_FAILED, apiErrors.SERVICE_UNAVAILABLE],
});

/** The errors of every change of a webhook. */
const ofChange = [
  apiErrors.UNAUTHORIZED,
  clientErrors.CLIENT_NOT_APPROVED,
  apiErrors.FORBIDDEN,
  webhookErrors.WEBHOOK_NOT_FOUND,
  apiErrors.CONCURRENT_CHANGE,
  apiErrors.SERVICE_UNAVAILABLE,
] as const;

/** Interface 4.7. */
export const deactivateWebhookContract = contract({
  name: 'deactivate-webhook',
  method: 'DELETE',
  path: WEBHOOK_PATH,
  summary: 'Deactivate a webhook; its configuration is kept',
  access: 'approved-client',
  pathParameters: webhookPathParameters,
  unknownPath: apiErrors.FORBIDDEN,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: webhookAnswer },
  errors: ofChange,
});

const urlIn = z.string().check(z.maxLength(LONGEST_WEBHOOK_URL));

/** This contract and all below it are additions to the interface (decisions.md 7, Managing). */
export const registerWebhookContract = contract({
  name: 'register-webhook',
  method: 'POST',
  path: WEBHOOKS_PATH,
  summary: 'Register a webhook; its secret is shown this once',
  access: 'approved-client',
  pathParameters: ofClient,
  unknownPath: apiErrors.FORBIDDEN,
  query: noQuery,
  body: z.object({
    url: urlIn,
    process: webhook.shape.process,
    method: z._default(webhook.shape.method, 'POST'),
    userId: z.optional(id),
  }),
  success: { status: 201, body: webhookWithSecret },
  errors: [
    apiErrors.MALFORMED_JSON,
    apiErrors.UNAUTHORIZED,
    clientErrors.CLIENT_NOT_APPROVED,
    apiErrors.FORBIDDEN,
    clientErrors.USER_NOT_FOUND,
    webhookErrors.TOO_MANY_WEBHOOKS,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
    apiErrors.CONCURRENT_CHANGE,
    apiErrors.SERVICE_UNAVAILABLE,
  ],
});

documentObject('RegisterWebhookRequest', registerWebhookContract.body, 'The process of a webhook, and its address.', {
  url: { description: 'A public https address on port 443 or 8443, without user name and password.', format: 'uri' },
  process: 'The process of the webhook.',
  method: 'The HTTP method of its calls.',
  userId:
    "The client's user for whom the webhook is registered; by default the client itself. It does not filter events.",
});

export const updateWebhookContract = contract({
  name: 'update-webhook',
  method: 'PATCH',
  path: WEBHOOK_PATH,
  summary: 'Change or reactivate a webhook',
  access: 'approved-client',
  pathParameters: webhookPathParameters,
  unknownPath: apiErrors.FORBIDDEN,
  query: noQuery,
  body: z.object({
    status: z.optional(z.literal(true)),
    url: z.optional(urlIn),
    method: z.optional(webhook.shape.method),
  }),
  success: { status: 200, body: webhookAnswer },
  errors: [
    ...ofChange,
    webhookErrors.TOO_MANY_WEBHOOKS,
    apiErrors.MALFORMED_JSON,
    apiErrors.PAYLOAD_TOO_LARGE,
    apiErrors.UNSUPPORTED_MEDIA_TYPE,
    apiErrors.VALIDATION_FAILED,
  ],
});

documentObject(
  'UpdateWebhookRequest',
  updateWebhookContract.body,
  'The fields to change; absent fields stay as they are.',
  {
    status: 'True reactivates the webhook; DELETE deactivates it.',
    url: { description: 'A public https address on port 443 or 8443, without user name and password.', format: 'uri' },
    method: 'The HTTP method of its calls.',
  },
);

export const rotateWebhookSecretContract = contract({
  name: 'rotate-webhook-secret',
  method: 'POST',
  path: `${WEBHOOK_PATH}/secret`,
  summary: 'Give a webhook a new secret; the previous one stays valid for 24 hours',
  access: 'approved-client',
  pathParameters: webhookPathParameters,
  unknownPath: apiErrors.FORBIDDEN,
  query: noQuery,
  body: noBody,
  success: { status: 200, body: webhookWithSecret },
  errors: ofChange,
});

export const removeWebhookContract = contract({
  name: 'remove-webhook',
  method: 'DELETE',
  path: `${WEBHOOK_PATH}/record`,
  summary: 'Remove an inactive webhook permanently',
  access: 'approved-client',
  pathParameters: webhookPathParameters,
  unknownPath: apiErrors.FORBIDDEN,
  query: noQuery,
  body: noBody,
  success: { status: 204, body: noContent },
  errors: [...ofChange, webhookErrors.WEBHOOK_ACTIVE],
});

type WebhookAnswer = z.infer<typeof webhookAnswer>;

/**
 * A webhook as its client sees it: only the fields of the answer (interface 2.9).
 *
 * @param circuit the webhook's circuit; omitted where it cannot be open: every change of the configuration closes it
 */
export function describeWebhook(webhook: Webhook, circuit?: Circuit): WebhookAnswer {
  return webhookAnswer.parse({
    ...webhook,
    id: webhook.webhookId,
    ...(circuit?.state === 'OPEN' && { parkedUntil: circuit.until }),
    ...(circuit?.pausedAt !== undefined && { deliveriesPausedAt: circuit.pausedAt }),
  } satisfies WebhookAnswer);
}
