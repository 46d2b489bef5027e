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
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { secretIssuer } from '#shared/webhooks/webhook-secret.ts';
import { rotateWebhookSecret } from './rotate-webhook-secret.ts';

const sealText = textSealer(new KMSClient(awsClientOptions), setting('WEBHOOK_SECRETS_KEY_ID'));
const table = setting('WEBHOOKS_TABLE');
const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  rotateWebhookSecret({
    webhooks: webhooksIn(dynamo, table),
    changeWebhook: webhookChanger(dynamo, table),
    issueSecret: secretIssuer(sealText, randomBytes),
    clock: systemClock,
  }),
);
