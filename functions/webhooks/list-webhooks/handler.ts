import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listWebhooksContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { createReadCircuits } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { listWebhooks } from './list-webhooks.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ webhooksTable: 'WEBHOOKS_TABLE', webhookHealthTable: 'WEBHOOK_HEALTH_TABLE' });
  const webhooks = createWebhookRepository(dynamo, env.webhooksTable);
  const readCircuits = createReadCircuits(dynamo, env.webhookHealthTable, clock);
  return clientEndpoint(listWebhooksContract, clock, listWebhooks({ webhooks, readCircuits }));
}

await warmUp(createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')).listReadable(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
