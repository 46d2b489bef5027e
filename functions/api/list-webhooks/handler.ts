import { listWebhooks as contract } from '#shared/contracts/webhook.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listWebhooks } from './list-webhooks.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const webhooks = webhooksIn(dynamo, setting('WEBHOOKS_TABLE'));
  const health = webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock);
  return clientEndpoint(contract, clock, listWebhooks({ webhooks, health }));
}

await primed(webhooksIn(dynamo, setting('WEBHOOKS_TABLE')).list(NOBODY));
export const handler = wire({ dynamo }, systemClock);
