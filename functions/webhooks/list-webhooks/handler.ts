import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import { listWebhooks as contract } from '#shared/webhooks/webhook-contract.ts';
import { webhookHealthIn } from '#shared/webhooks/webhook-health-records.ts';
import { webhooksIn } from '#shared/webhooks/webhook-store.ts';
import { listWebhooks } from './list-webhooks.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const webhooks = webhooksIn(dynamo, setting('WEBHOOKS_TABLE'));
  const health = webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock);
  return clientEndpoint(contract, clock, listWebhooks({ webhooks, health }));
}

await primed(webhooksIn(dynamo, setting('WEBHOOKS_TABLE')).list(NOBODY));
export const handler = wire({ dynamo }, systemClock);
