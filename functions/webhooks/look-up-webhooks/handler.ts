import { createFindClient } from '#shared/clients/client-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { lookUpWebhooks } from './look-up-webhooks.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const tables = environment({
    clients: 'CLIENTS_TABLE',
    webhooks: 'WEBHOOKS_TABLE',
    webhookHealth: 'WEBHOOK_HEALTH_TABLE',
    deliveries: 'DELIVERIES_TABLE',
    audit: 'AUDIT_TABLE',
  });
  return lookUpWebhooks({ dynamo, tables, clock });
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
