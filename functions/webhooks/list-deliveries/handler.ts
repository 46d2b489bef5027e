import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import { deliveriesIn } from '#shared/webhooks/delivery-store.ts';
import { listDeliveries as contract } from '#shared/webhooks/list-deliveries-contract.ts';
import { webhooksIn } from '#shared/webhooks/webhook-store.ts';
import { listDeliveries } from './list-deliveries.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const webhooks = webhooksIn(dynamo, setting('WEBHOOKS_TABLE'));
  return clientEndpoint(
    contract,
    clock,
    listDeliveries({ webhooks, deliveries: deliveriesIn(dynamo, setting('DELIVERIES_TABLE')), clock }),
  );
}

await primed(webhooksIn(dynamo, setting('WEBHOOKS_TABLE')).find(NOBODY, NOBODY));
export const handler = wire({ dynamo }, systemClock);
