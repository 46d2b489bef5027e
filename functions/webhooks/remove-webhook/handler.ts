import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NIL_UUID, warmUp } from '#shared/platform/warm-up.ts';
import { removeWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { createRemoveWebhook, createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { removeWebhook } from './remove-webhook.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const table = setting('WEBHOOKS_TABLE');
  return approvedEndpoint(
    removeWebhookContract,
    clock,
    createFindClient(dynamo, setting('CLIENTS_TABLE')),
    removeWebhook({
      webhooks: createWebhookRepository(dynamo, table),
      remove: createRemoveWebhook(dynamo, table),
      clock,
    }),
  );
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
