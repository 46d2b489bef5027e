import type { Endpoint } from '#infra/api/endpoint.ts';
import { listDeliveries } from '#shared/webhooks/list-deliveries-contract.ts';
import { replayEvents } from '#shared/webhooks/replay-events-contract.ts';
import { resendDelivery } from '#shared/webhooks/resend-delivery-contract.ts';
import { testWebhook } from '#shared/webhooks/test-webhook-contract.ts';
import { deactivateWebhook, listWebhooks } from '#shared/webhooks/webhook-contract.ts';
import {
  registerWebhook,
  removeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '#shared/webhooks/webhook-management-contract.ts';

/** A call lasts for as long as a server of names takes to answer, and holds a function all the while. */
const LOOKS_AT_TARGET = { rate: 10, burst: 50, perClient: { rate: 2, burst: 10 } };

/** Where clients receive events, and what was delivered to them. */
export const webhookRoutes: readonly Endpoint[] = [
  {
    contract: listWebhooks,
    folder: 'webhooks/list-webhooks',
    tables: { webhooks: ['Query'], webhookHealth: ['BatchGetItem'] },
    needs: [],
    impact: 'Clients cannot list their webhooks; deliveries continue.',
  },
  {
    contract: registerWebhook,
    folder: 'webhooks/register-webhook',
    tables: { clients: ['GetItem'], users: ['GetItem'], webhooks: ['PutItem', 'UpdateItem'] },
    needs: ['encrypt webhook secrets', 'know where webhooks may point'],
    throttling: LOOKS_AT_TARGET,
    impact: 'Clients cannot register webhooks; those that they have keep working.',
  },
  {
    contract: updateWebhook,
    folder: 'webhooks/update-webhook',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'], webhookHealth: ['GetItem'] },
    needs: ['know where webhooks may point'],
    throttling: LOOKS_AT_TARGET,
    impact: 'Clients cannot change or reactivate webhooks.',
  },
  {
    contract: deactivateWebhook,
    folder: 'webhooks/deactivate-webhook',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'] },
    needs: [],
    impact: 'Clients cannot deactivate a webhook.',
  },
  {
    contract: removeWebhook,
    folder: 'webhooks/remove-webhook',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'DeleteItem', 'UpdateItem'] },
    needs: [],
    impact: 'Clients with a hundred webhooks cannot remove one to register another; those that they have keep working.',
  },
  {
    contract: rotateWebhookSecret,
    folder: 'webhooks/rotate-webhook-secret',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'] },
    needs: ['encrypt webhook secrets'],
    impact: 'Clients cannot replace the secret of a webhook, not even one that leaked.',
  },
  {
    contract: testWebhook,
    folder: 'webhooks/test-webhook',
    tables: { clients: ['GetItem'], webhooks: ['GetItem'], webhookHealth: ['GetItem', 'PutItem'] },
    needs: ['decrypt webhook secrets', 'know where webhooks may point'],
    // A call lasts for as long as an endpoint hangs, and holds a function all the while.
    throttling: { rate: 2, burst: 10, perClient: { rate: 0.5, burst: 2 } },
    impact: 'Clients cannot test their webhooks; deliveries continue.',
  },
  {
    contract: listDeliveries,
    folder: 'webhooks/list-deliveries',
    tables: { webhooks: ['GetItem'], deliveries: ['Query', 'Query:byWebhook'] },
    needs: [],
    impact: 'Clients cannot see the deliveries to their webhooks; deliveries continue.',
  },
  {
    contract: resendDelivery,
    folder: 'webhooks/resend-delivery',
    tables: {
      clients: ['GetItem'],
      webhooks: ['GetItem'],
      webhookHealth: ['GetItem', 'PutItem'],
      deliveries: ['Query', 'UpdateItem'],
      idempotency: ['UpdateItem', 'DeleteItem'],
    },
    needs: ['queue deliveries'],
    impact: 'Clients cannot resend a delivery to a webhook.',
  },
  {
    contract: replayEvents,
    folder: 'webhooks/replay-events',
    tables: { clients: ['GetItem'], webhooks: ['GetItem'], slots: ['PutItem'] },
    needs: ['queue replays'],
    impact: 'Clients cannot replay events to a webhook.',
  },
];
