import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createDecrypt } from '#shared/platform/aws/kms.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { testWebhookContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { type CallWebhook, createCallWebhook } from '#shared/webhooks/http-client/call-webhook.ts';
import { createDecryptSecret, createSendEvent } from '#shared/webhooks/http-client/send-event.ts';
import { type GuardTarget, ssrfGuardSetting } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { testWebhook } from './test-webhook.ts';

export function wire(
  {
    dynamo,
    kms,
    guardUrl,
    callWebhook,
  }: Pick<AwsClients, 'dynamo' | 'kms'> & { readonly guardUrl: GuardTarget; readonly callWebhook: CallWebhook },
  clock: Clock,
  newId: () => string,
) {
  const env = environment({
    clientsTable: 'CLIENTS_TABLE',
    webhooksTable: 'WEBHOOKS_TABLE',
    webhookHealthTable: 'WEBHOOK_HEALTH_TABLE',
    webhookSecretsKeyId: 'WEBHOOK_SECRETS_KEY_ID',
  });
  return approvedEndpoint(
    testWebhookContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    testWebhook({
      webhooks: createWebhookRepository(dynamo, env.webhooksTable),
      health: createWebhookHealthRepository(dynamo, env.webhookHealthTable, clock),
      sendEvent: createSendEvent({
        guardUrl,
        decryptSecret: createDecryptSecret(createDecrypt(kms, env.webhookSecretsKeyId), clock),
        callWebhook,
        clock,
      }),
      clock,
      newId,
    }),
  );
}

await warmUpApproval();
export const handler = wire(
  {
    dynamo,
    kms: new KMSClient(awsClientOptions),
    guardUrl: ssrfGuardSetting(systemClock),
    callWebhook: createCallWebhook(systemClock),
  },
  systemClock,
  randomUUID,
);
