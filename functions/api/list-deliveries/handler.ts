import { listDeliveries as contract } from '#shared/contracts/list-deliveries.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveriesIn } from '#shared/dynamodb/deliveries.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { clientEndpoint } from '#shared/http/endpoints.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { listDeliveries } from './list-deliveries.ts';

const webhooks = webhooksIn(dynamo, setting('WEBHOOKS_TABLE'));
await primed(webhooks.find(NOBODY, NOBODY));

export const handler = clientEndpoint(
  contract,
  listDeliveries({ webhooks, deliveries: deliveriesIn(dynamo, setting('DELIVERIES_TABLE')), clock: systemClock }),
);
