import { updateWebhook as contract } from '#shared/contracts/webhook-management.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { webhookChanger } from '#shared/dynamodb/write-webhook.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { targetGuardSetting } from '#shared/runtime/target-guard.ts';
import { updateWebhook } from './update-webhook.ts';

const table = setting('WEBHOOKS_TABLE');
const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  updateWebhook({
    webhooks: webhooksIn(dynamo, table),
    changeWebhook: webhookChanger(dynamo, table),
    health: webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), systemClock),
    guardTarget: targetGuardSetting(),
    clock: systemClock,
  }),
);
