import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { deactivateWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { createChangeWebhook, createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { deactivateWebhook } from './deactivate-webhook.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ webhooksTable: 'WEBHOOKS_TABLE', clientsTable: 'CLIENTS_TABLE' });
  return approvedEndpoint(
    deactivateWebhookContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    deactivateWebhook({
      webhooks: createWebhookRepository(dynamo, env.webhooksTable),
      changeWebhook: createChangeWebhook(dynamo, env.webhooksTable),
      clock,
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo }, systemClock);
