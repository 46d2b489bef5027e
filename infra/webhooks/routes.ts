import { CLIENT_ID, DELIVERY_ID, EVENT_ID, OPERATION_ID, USER_ID, WEBHOOK_ID } from '#infra/platform/example-ids.ts';
import { LIST_LIMITS, type Route } from '#infra/platform/route.ts';
import type { Stage } from '#infra/stage/stages.ts';
import {
  getDeliveryContract,
  listDeliveriesContract,
  replayEventsContract,
  resendDeliveryContract,
  testWebhookContract,
} from '#shared/webhooks/contract/delivery-contract.ts';
import {
  deactivateWebhookContract,
  listWebhooksContract,
  registerWebhookContract,
  removeWebhookContract,
  rotateWebhookSecretContract,
  updateWebhookContract,
} from '#shared/webhooks/contract/webhook-contract.ts';

const url = 'https://client.example/notifications';
const webhook = { id: WEBHOOK_ID, method: 'POST', process: 'ramp', status: true, url, userId: CLIENT_ID };
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

const arrived = {
  id: DELIVERY_ID,
  eventId: EVENT_ID,
  type: 'ramp.operation.status_changed',
  status: 'DELIVERED',
  createdAt: '2026-11-21T14:03:11.604Z',
  attempts: [
    { at: '2026-11-21T14:03:11.731Z', trigger: 'SCHEDULED', statusCode: 503, durationMs: 212 },
    { at: '2026-11-21T14:03:16.988Z', trigger: 'SCHEDULED', error: 'TIMEOUT', durationMs: 15003 },
    { at: '2026-11-21T14:08:33.120Z', trigger: 'SCHEDULED', statusCode: 204, durationMs: 95 },
  ],
};

const sentBody = JSON.stringify({
  type: arrived.type,
  timestamp: '2026-11-21T14:03:11.482Z',
  data: {
    operationId: OPERATION_ID,
    userId: USER_ID,
    status: 'COMPLETED',
    previousStatus: 'PENDING',
    sequence: 5,
  },
});

const { status: _, ...known } = arrived;
const asked = { ...known, status: 'PENDING', nextAttemptAt: '2026-11-21T15:20:00.417Z' };

/** The setting that says where webhooks may point. */
const targetsOf = ({ webhooksToThisMachine }: Stage) => ({ WEBHOOKS_TO_THIS_MACHINE: String(webhooksToThisMachine) });

/** A call holds a function for as long as a name server takes to answer. */
const RESOLVES_TARGET = { all: { rate: 10, burst: 50 }, perClient: { rate: 2, burst: 10 } };

/** Clients' webhooks, and the deliveries to them. */
export const webhookRoutes: readonly Route[] = [
  {
    contract: listWebhooksContract,
    tables: { webhooks: ['Query'], webhookHealth: ['BatchGetItem'] },
    impact: 'Clients cannot list their webhooks; deliveries continue.',
    example: {
      answer: [webhook],
      remark:
        'A webhook whose endpoint has failed five times in a row is parked: nothing is sent to it until `parkedUntil`. A successful test and a resend end the parking.',
    },
  },
  {
    contract: registerWebhookContract,
    tables: { users: ['GetItem'], webhooks: ['PutItem', 'UpdateItem'] },
    permissions: ['encrypt webhook secrets'],
    environment: targetsOf,
    throttling: RESOLVES_TARGET,
    impact: 'Clients cannot register webhooks; existing ones keep working.',
    example: {
      request: { url, process: 'ramp' },
      answer: { ...webhook, secret },
      remark:
        'A client has at most a hundred webhooks, active or not. The address must be public and https on port 443 or 8443, without user and password. An active webhook receives every event of its process, for all users.',
    },
  },
  {
    contract: updateWebhookContract,
    tables: { webhooks: ['GetItem', 'UpdateItem'], webhookHealth: ['GetItem', 'PutItem'] },
    environment: targetsOf,
    throttling: RESOLVES_TARGET,
    impact: 'Clients cannot change or reactivate webhooks.',
    example: {
      request: { status: true, url },
      answer: webhook,
      remark: 'A reactivated webhook receives only events from then on.',
    },
  },
  {
    contract: deactivateWebhookContract,
    tables: { webhooks: ['GetItem', 'UpdateItem'] },
    impact: 'Clients cannot deactivate a webhook.',
    example: {
      answer: { ...webhook, status: false },
      remark:
        'Waiting deliveries are not sent any more; a call in progress may still arrive. `statusReason` is present only if the service deactivated the webhook: its endpoint answered 410, or failed for five days, or an operator deactivated it.',
    },
  },
  {
    contract: removeWebhookContract,
    tables: { webhooks: ['GetItem', 'DeleteItem', 'UpdateItem'] },
    impact: 'Clients with a hundred webhooks cannot replace one; existing ones keep working.',
    example: {
      remark:
        'The webhook must be inactive. Its secret, its deliveries and their attempts can no longer be read, and waiting deliveries are not sent. This cannot be undone.',
    },
  },
  {
    contract: rotateWebhookSecretContract,
    tables: { webhooks: ['GetItem', 'UpdateItem'], webhookHealth: ['GetItem', 'PutItem'] },
    permissions: ['encrypt webhook secrets'],
    // Each call uses KMS, and nobody needs many.
    throttling: { perClient: { rate: 0.5, burst: 5 } },
    impact: 'Clients cannot replace the secret of a webhook, not even one that leaked.',
    example: {
      answer: { ...webhook, secret },
      remark:
        'For these 24 hours every call has a signature by each of the two, so that you can change the receiver at any time. Of several new secrets within that time only the newest three sign.',
    },
  },
  {
    contract: testWebhookContract,
    tables: { webhooks: ['GetItem'], webhookHealth: ['GetItem', 'PutItem'] },
    permissions: ['decrypt webhook secrets'],
    environment: targetsOf,
    // A call holds a function for as long as the endpoint hangs.
    throttling: { all: { rate: 2, burst: 10 }, perClient: { rate: 0.5, burst: 2 } },
    impact: 'Clients cannot test their webhooks; deliveries continue.',
    example: {
      answer: { delivered: false, statusCode: 404, durationMs: 87 },
      remark:
        'The event `webhook.test` is signed and checked like any other. It is sent once and not stored; the answer takes as long as the endpoint, up to 15 seconds.',
    },
  },
  {
    contract: listDeliveriesContract,
    throttling: LIST_LIMITS,
    tables: { webhooks: ['GetItem'], webhookHealth: ['GetItem'], deliveries: ['GetItem', 'Query:byWebhook'] },
    impact: 'Clients cannot see the deliveries to their webhooks; deliveries continue.',
    example: {
      answer: { deliveries: [arrived], nextCursor: DELIVERY_ID },
      remark:
        'Deliveries and attempts are kept for 90 days. A FAILED or CANCELLED delivery has a reason: its ten attempts failed (EXHAUSTED), the endpoint answered 410 (ENDPOINT_GONE), the address is not allowed (BLOCKED), the webhook was deactivated while the delivery waited (WEBHOOK_INACTIVE), or the service failed (INTERNAL).',
    },
  },
  {
    contract: getDeliveryContract,
    tables: { webhooks: ['GetItem'], webhookHealth: ['GetItem'], deliveries: ['GetItem'], events: ['GetItem'] },
    impact: 'Clients cannot see what was sent to their webhooks; deliveries continue.',
    example: {
      answer: { ...arrived, body: sentBody },
      remark: 'The body is the same on every attempt, and in the event of this id.',
    },
  },
  {
    contract: resendDeliveryContract,
    tables: {
      webhooks: ['GetItem'],
      webhookHealth: ['GetItem', 'PutItem'],
      deliveries: ['GetItem', 'UpdateItem'],
    },
    permissions: ['queue deliveries'],
    impact: 'Clients cannot resend a delivery to a webhook.',
    example: {
      answer: asked,
      remark:
        'The next attempt is made now, under the same webhook-id. It also ends the parking of the webhook. If it fails, the retries begin again. An attempt that is already in progress counts as the requested one.',
    },
  },
  {
    contract: replayEventsContract,
    tables: { webhooks: ['GetItem'], slots: ['PutItem'], allowances: ['UpdateItem'] },
    permissions: ['queue replays'],
    impact: 'Clients cannot replay events to a webhook.',
    example: {
      request: { since: '2026-11-20T09:00:00-05:00' },
      answer: { since: '2026-11-20T14:00:00.000Z' },
      remark:
        'Each event keeps its webhook-id. Events from while the webhook was inactive are included; deliveries that are due within half an hour stay as they are, and those that wait longer for a retry are sent now. `since` is at most 14 days ago. The limits are four replays a minute, ten a day for one webhook and a hundred a day for all. A replay sends the oldest 50,000 events of its period: request another one for later events. It begins 15 seconds later, and the deliveries appear in the list one after another, about a thousand a minute. It ends when the webhook is deactivated.',
    },
  },
];
