import { randomBytes } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { clientsIn } from '#shared/clients/client-store.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { textSealer } from '#shared/platform/aws/encrypt.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import { rotateWebhookSecret as contract } from '#shared/webhooks/webhook-management-contract.ts';
import { secretIssuer } from '#shared/webhooks/webhook-secret.ts';
import { webhooksIn } from '#shared/webhooks/webhook-store.ts';
import { webhookChanger } from '#shared/webhooks/write-webhook.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';

export function wire(
  { dynamo, kms, randomBytes }: Pick<AwsClients, 'dynamo' | 'kms'> & { readonly randomBytes: (size: number) => Buffer },
  clock: Clock,
) {
  const sealText = textSealer(kms, setting('WEBHOOK_SECRETS_KEY_ID'));
  const table = setting('WEBHOOKS_TABLE');
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    rotateWebhookSecret({
      webhooks: webhooksIn(dynamo, table),
      changeWebhook: webhookChanger(dynamo, table),
      issueSecret: secretIssuer(sealText, randomBytes),
      clock,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, kms: new KMSClient(awsClientOptions), randomBytes }, systemClock);
