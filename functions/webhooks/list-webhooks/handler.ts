import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { NIL_UUID, warmUp } from '#shared/platform/warm-up.ts';
import { createReadCircuits } from '#shared/webhooks/webhook-circuits.ts';
import { listWebhooks as contract } from '#shared/webhooks/webhook-contract.ts';
import { createWebhookStore } from '#shared/webhooks/webhook-store.ts';
import { listWebhooks } from './list-webhooks.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const webhooks = createWebhookStore(dynamo, setting('WEBHOOKS_TABLE'));
  const readCircuits = createReadCircuits(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock);
  return clientEndpoint(contract, clock, listWebhooks({ webhooks, readCircuits }));
}

await warmUp(createWebhookStore(dynamo, setting('WEBHOOKS_TABLE')).list(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
