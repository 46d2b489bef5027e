import { deactivateWebhook as contract } from '#shared/contracts/webhook.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { webhookChanger } from '#shared/dynamodb/write-webhook.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { deactivateWebhook } from './deactivate-webhook.ts';

const table = setting('WEBHOOKS_TABLE');
const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  deactivateWebhook({
    webhooks: webhooksIn(dynamo, table),
    changeWebhook: webhookChanger(dynamo, table),
    clock: systemClock,
  }),
);
