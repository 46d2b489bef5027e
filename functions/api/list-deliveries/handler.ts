import { listDeliveries as contract } from '#shared/contracts/list-deliveries.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveriesIn } from '#shared/dynamodb/deliveries.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
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
