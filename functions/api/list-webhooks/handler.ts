import { listWebhooks as contract } from '#shared/contracts/webhook.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listWebhooks } from './list-webhooks.ts';

const webhooks = webhooksIn(dynamo, setting('WEBHOOKS_TABLE'));
const health = webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), systemClock);
await primed(webhooks.list(NOBODY));

export const handler = clientEndpoint(contract, listWebhooks({ webhooks, health }));
