import { CLIENT_ID, DELIVERY_ID, WEBHOOK_ID } from '#infra/platform/example-ids.ts';
import { AUDITED_CHANGES, CLIENT_NAMES, type OperatorRoute } from '#infra/platform/operator-route.ts';
import {
  deactivateWebhookContract,
  redriveDeliveriesContract,
  resendContract,
} from '#shared/webhooks/contract/webhook-commands.ts';
import {
  listFailingWebhooksContract,
  listWebhooksContract,
  readDeliveryContract,
  readWebhookContract,
} from '#shared/webhooks/contract/webhook-lookups.ts';

/** The operators' API of webhooks and of the deliveries to them. */
export const webhookOperatorRoutes: readonly OperatorRoute[] = [
  {
    contract: readDeliveryContract,
    tables: { deliveries: ['GetItem'], webhooks: ['GetItem'], webhookHealth: ['BatchGetItem'], audit: AUDITED_CHANGES },
    example: { delivery: 'dlv_0123456789abcdef0123456789abcdef' },
  },
  {
    contract: listFailingWebhooksContract,
    tables: {
      webhookHealth: ['Query:failing', 'BatchGetItem'],
      webhooks: ['GetItem'],
      deliveries: ['Query:byWebhook', 'BatchGetItem'],
      clients: CLIENT_NAMES,
    },
    example: {},
  },
  {
    contract: listWebhooksContract,
    tables: { clients: ['GetItem'], webhooks: ['Query'], webhookHealth: ['BatchGetItem'] },
    example: { clientId: CLIENT_ID },
  },
  {
    contract: readWebhookContract,
    tables: { webhooks: ['GetItem'], webhookHealth: ['BatchGetItem'], audit: AUDITED_CHANGES },
    example: { clientId: CLIENT_ID, webhookId: WEBHOOK_ID },
  },
  {
    contract: resendContract,
    tables: {
      webhooks: ['GetItem'],
      webhookHealth: ['GetItem', 'PutItem'],
      deliveries: ['GetItem', 'UpdateItem'],
    },
    permissions: ['queue deliveries'],
    example: { deliveryId: DELIVERY_ID },
  },
  {
    contract: redriveDeliveriesContract,
    tables: { webhooks: ['GetItem'] },
    permissions: ['queue replays'],
    example: { clientId: CLIENT_ID, webhookId: WEBHOOK_ID, since: '2026-11-20T09:00:00-05:00' },
  },
  {
    contract: deactivateWebhookContract,
    tables: { webhooks: ['GetItem', 'UpdateItem'] },
    example: { clientId: CLIENT_ID, webhookId: WEBHOOK_ID },
    question:
      'Nothing more is sent to it: waiting deliveries are cancelled, and later events are not delivered. Deactivate it?',
  },
];
