import { randomBytes, randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { createFindUser } from '#shared/clients/user-repository.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { createEncrypt } from '#shared/platform/aws/kms.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { registerWebhookContract } from '#shared/webhooks/contract/webhook-contract.ts';
import { createIssueSecret } from '#shared/webhooks/http-client/send-event.ts';
import { type GuardTarget, ssrfGuardSetting } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { createCreateWebhook } from '#shared/webhooks/store/webhook-repository.ts';
import { registerWebhook } from './register-webhook.ts';

export function wire(
  {
    dynamo,
    kms,
    guardUrl,
    randomBytes,
  }: Pick<AwsClients, 'dynamo' | 'kms'> & {
    readonly guardUrl: GuardTarget;
    readonly randomBytes: (size: number) => Buffer;
  },
  clock: Clock,
  newId: () => string,
) {
  const env = environment({
    webhookSecretsKeyId: 'WEBHOOK_SECRETS_KEY_ID',
    clientsTable: 'CLIENTS_TABLE',
    webhooksTable: 'WEBHOOKS_TABLE',
    usersTable: 'USERS_TABLE',
  });
  const encrypt = createEncrypt(kms, env.webhookSecretsKeyId);
  return approvedEndpoint(
    registerWebhookContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    registerWebhook({
      createWebhook: createCreateWebhook(dynamo, env.webhooksTable),
      findUser: createFindUser(dynamo, env.usersTable),
      guardUrl,
      issueSecret: createIssueSecret(encrypt, randomBytes),
      clock,
      newId,
    }),
  );
}

await warmUpApproval();
export const handler = wire(
  { dynamo, kms: new KMSClient(awsClientOptions), guardUrl: ssrfGuardSetting(systemClock), randomBytes },
  systemClock,
  randomUUID,
);
