import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { NIL_UUID, warmUp } from '#shared/platform/warm-up.ts';
import { listDeliveries as contract } from '#shared/webhooks/delivery-contract.ts';
import { createDeliveryStore } from '#shared/webhooks/delivery-store.ts';
import { createReadOpenCircuit } from '#shared/webhooks/parking.ts';
import { createWebhookStore } from '#shared/webhooks/webhook-store.ts';
import { listDeliveries } from './list-deliveries.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const webhooks = createWebhookStore(dynamo, setting('WEBHOOKS_TABLE'));
  const deliveries = createDeliveryStore(dynamo, setting('DELIVERIES_TABLE'));
  const readCircuit = createReadOpenCircuit(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock);
  return clientEndpoint(contract, clock, listDeliveries({ webhooks, deliveries, readCircuit, clock }));
}

await warmUp(createWebhookStore(dynamo, setting('WEBHOOKS_TABLE')).find(NIL_UUID, NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
