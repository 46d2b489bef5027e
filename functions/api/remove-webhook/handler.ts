import { removeWebhook as contract } from '#shared/contracts/webhook-management.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { createWebhookRemover } from '#shared/dynamodb/write-webhook.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { removeWebhook } from './remove-webhook.ts';

const table = setting('WEBHOOKS_TABLE');
const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  removeWebhook({
    webhooks: webhooksIn(dynamo, table),
    remove: createWebhookRemover(dynamo, table),
    clock: systemClock,
  }),
);
