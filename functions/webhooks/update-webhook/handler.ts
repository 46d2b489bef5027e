import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { updateWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { type GuardTarget, ssrfGuardSetting } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createChangeWebhook, createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { updateWebhook } from './update-webhook.ts';

export function wire(
  { dynamo, guardUrl }: Pick<AwsClients, 'dynamo'> & { readonly guardUrl: GuardTarget },
  clock: Clock,
) {
  const env = environment({
    webhooksTable: 'WEBHOOKS_TABLE',
    clientsTable: 'CLIENTS_TABLE',
    webhookHealthTable: 'WEBHOOK_HEALTH_TABLE',
  });
  return approvedEndpoint(
    updateWebhookContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    updateWebhook({
      webhooks: createWebhookRepository(dynamo, env.webhooksTable),
      changeWebhook: createChangeWebhook(dynamo, env.webhooksTable),
      health: createWebhookHealthRepository(dynamo, env.webhookHealthTable, clock),
      guardUrl,
      clock,
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo, guardUrl: ssrfGuardSetting(systemClock) }, systemClock);
