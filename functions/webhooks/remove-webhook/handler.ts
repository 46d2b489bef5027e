import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { removeWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { createRemoveWebhook, createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { removeWebhook } from './remove-webhook.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ webhooksTable: 'WEBHOOKS_TABLE', clientsTable: 'CLIENTS_TABLE' });
  return approvedEndpoint(
    removeWebhookContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    removeWebhook({
      webhooks: createWebhookRepository(dynamo, env.webhooksTable),
      remove: createRemoveWebhook(dynamo, env.webhooksTable),
      clock,
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo }, systemClock);
