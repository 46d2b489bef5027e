import { listDeliveries } from '#shared/contracts/list-deliveries.ts';
import { replayEvents } from '#shared/contracts/replay-events.ts';
import { resendDelivery } from '#shared/contracts/resend-delivery.ts';
import { testWebhook } from '#shared/contracts/test-webhook.ts';
import { deactivateWebhook, listWebhooks } from '#shared/contracts/webhook.ts';
import {
  registerWebhook,
  removeWebhook,
  rotateWebhookSecret,
  updateWebhook,
} from '#shared/contracts/webhook-management.ts';
import type { Endpoint } from '../endpoint.ts';

/** A call lasts for as long as a server of names takes to answer, and holds a function all the while. */
const LOOKS_AT_TARGET = { rate: 10, burst: 50, perClient: { rate: 2, burst: 10 } };

/** Where clients receive events, and what was delivered to them. */
export const webhookRoutes: readonly Endpoint[] = [
  {
    contract: listWebhooks,
    folder: 'api/list-webhooks',
    api: 'clients',
    tables: { webhooks: ['Query'], webhookHealth: ['BatchGetItem'] },
    needs: [],
    clientsLose: 'Clients cannot list their webhooks; deliveries continue.',
  },
  {
    contract: registerWebhook,
    folder: 'api/register-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], users: ['GetItem'], webhooks: ['PutItem', 'UpdateItem'] },
    needs: ['encrypt webhook secrets', 'know where webhooks may point'],
    throttling: LOOKS_AT_TARGET,
    clientsLose: 'Clients cannot register webhooks; those that they have keep working.',
  },
  {
    contract: updateWebhook,
    folder: 'api/update-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'], webhookHealth: ['GetItem'] },
    needs: ['know where webhooks may point'],
    throttling: LOOKS_AT_TARGET,
    clientsLose: 'Clients cannot change or reactivate webhooks.',
  },
  {
    contract: deactivateWebhook,
    folder: 'api/deactivate-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'] },
    needs: [],
    clientsLose: 'Clients cannot deactivate a webhook.',
  },
  {
    contract: removeWebhook,
    folder: 'api/remove-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'DeleteItem', 'UpdateItem'] },
    needs: [],
    clientsLose:
      'Clients with a hundred webhooks cannot remove one to register another; those that they have keep working.',
  },
  {
    contract: rotateWebhookSecret,
    folder: 'api/rotate-webhook-secret',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem', 'UpdateItem'] },
    needs: ['encrypt webhook secrets'],
    clientsLose: 'Clients cannot replace the secret of a webhook, not even one that leaked.',
  },
  {
    contract: testWebhook,
    folder: 'api/test-webhook',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem'], webhookHealth: ['GetItem', 'PutItem'] },
    needs: ['decrypt webhook secrets', 'know where webhooks may point'],
    // A call lasts for as long as an endpoint hangs, and holds a function all the while.
    throttling: { rate: 2, burst: 10, perClient: { rate: 0.5, burst: 2 } },
    clientsLose: 'Clients cannot test their webhooks; deliveries continue.',
  },
  {
    contract: listDeliveries,
    folder: 'api/list-deliveries',
    api: 'clients',
    tables: { webhooks: ['GetItem'], deliveries: ['Query', 'Query:byWebhook'] },
    needs: [],
    clientsLose: 'Clients cannot see the deliveries to their webhooks; deliveries continue.',
  },
  {
    contract: resendDelivery,
    folder: 'api/resend-delivery',
    api: 'clients',
    tables: {
      clients: ['GetItem'],
      webhooks: ['GetItem'],
      webhookHealth: ['GetItem', 'PutItem'],
      deliveries: ['Query', 'UpdateItem'],
      idempotency: ['UpdateItem', 'DeleteItem'],
    },
    needs: ['queue deliveries'],
    clientsLose: 'Clients cannot resend a delivery to a webhook.',
  },
  {
    contract: replayEvents,
    folder: 'api/replay-events',
    api: 'clients',
    tables: { clients: ['GetItem'], webhooks: ['GetItem'], slots: ['PutItem'] },
    needs: ['queue replays'],
    clientsLose: 'Clients cannot replay events to a webhook.',
  },
];
