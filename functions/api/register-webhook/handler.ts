import { randomBytes, randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { registerWebhook as contract } from '#shared/contracts/webhook-management.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { usersIn } from '#shared/dynamodb/users.ts';
import { webhookCreator } from '#shared/dynamodb/write-webhook.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { textSealer } from '#shared/kms/seal-text.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { targetGuardSetting } from '#shared/runtime/target-guard.ts';
import type { GuardTarget } from '#shared/webhooks/target-guard.ts';
import { secretIssuer } from '#shared/webhooks/webhook-secret.ts';
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
