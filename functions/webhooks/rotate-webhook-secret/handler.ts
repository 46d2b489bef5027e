import { randomBytes } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createEncrypt } from '#shared/platform/aws/kms.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { rotateWebhookSecretContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { createIssueSecret } from '#shared/webhooks/http-client/send-event.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createChangeWebhook, createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';

export function wire(
  { dynamo, kms, randomBytes }: Pick<AwsClients, 'dynamo' | 'kms'> & { readonly randomBytes: (size: number) => Buffer },
  clock: Clock,
) {
  const env = environment({
    webhookSecretsKeyId: 'WEBHOOK_SECRETS_KEY_ID',
    webhooksTable: 'WEBHOOKS_TABLE',
    clientsTable: 'CLIENTS_TABLE',
    webhookHealthTable: 'WEBHOOK_HEALTH_TABLE',
  });
  const encrypt = createEncrypt(kms, env.webhookSecretsKeyId);
  return approvedEndpoint(
    rotateWebhookSecretContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    rotateWebhookSecret({
      webhooks: createWebhookRepository(dynamo, env.webhooksTable),
      changeWebhook: createChangeWebhook(dynamo, env.webhooksTable),
      health: createWebhookHealthRepository(dynamo, env.webhookHealthTable, clock),
      issueSecret: createIssueSecret(encrypt, randomBytes),
      clock,
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions), randomBytes }, systemClock);
