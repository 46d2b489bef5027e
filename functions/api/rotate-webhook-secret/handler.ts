import { randomBytes } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { rotateWebhookSecret as contract } from '#shared/contracts/webhook-management.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { webhookChanger } from '#shared/dynamodb/write-webhook.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { textSealer } from '#shared/kms/seal-text.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { secretIssuer } from '#shared/webhooks/webhook-secret.ts';
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
