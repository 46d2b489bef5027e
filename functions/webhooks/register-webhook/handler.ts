import { randomBytes, randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { clientsIn } from '#shared/clients/client-store.ts';
import { usersIn } from '#shared/clients/user-store.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { textSealer } from '#shared/platform/aws/encrypt.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import type { GuardTarget } from '#shared/webhooks/ssrf-guard.ts';
import { targetGuardSetting } from '#shared/webhooks/ssrf-guard-setting.ts';
import { registerWebhook as contract } from '#shared/webhooks/webhook-management-contract.ts';
import { secretIssuer } from '#shared/webhooks/webhook-secret.ts';
import { webhookCreator } from '#shared/webhooks/write-webhook.ts';
import { registerWebhook } from './register-webhook.ts';

export function wire(
  {
    dynamo,
    kms,
    guardTarget,
    randomBytes,
  }: Pick<AwsClients, 'dynamo' | 'kms'> & {
    readonly guardTarget: GuardTarget;
    readonly randomBytes: (size: number) => Buffer;
  },
  clock: Clock,
  newId: () => string,
) {
  const sealText = textSealer(kms, setting('WEBHOOK_SECRETS_KEY_ID'));
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    registerWebhook({
      createWebhook: webhookCreator(dynamo, setting('WEBHOOKS_TABLE')),
      findUser: usersIn(dynamo, setting('USERS_TABLE')),
      guardTarget,
      issueSecret: secretIssuer(sealText, randomBytes),
      clock,
      newId,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire(
  { dynamo, kms: new KMSClient(awsClientOptions), guardTarget: targetGuardSetting(systemClock), randomBytes },
  systemClock,
  randomUUID,
);
