import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listDeliveriesContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { createDeliveryRepository } from '#shared/webhooks/store/delivery-repository.ts';
import { createReadCircuit } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { listDeliveries } from './list-deliveries.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({
    webhooksTable: 'WEBHOOKS_TABLE',
    deliveriesTable: 'DELIVERIES_TABLE',
    webhookHealthTable: 'WEBHOOK_HEALTH_TABLE',
  });
  const webhooks = createWebhookRepository(dynamo, env.webhooksTable);
  const deliveries = createDeliveryRepository(dynamo, env.deliveriesTable);
  const readCircuit = createReadCircuit(dynamo, env.webhookHealthTable, clock);
  return clientEndpoint(listDeliveriesContract, clock, listDeliveries({ webhooks, deliveries, readCircuit, clock }));
}

await warmUp(createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')).find(NIL_UUID, NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
