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
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { targetGuardSetting } from '#shared/runtime/target-guard.ts';
import { secretIssuer } from '#shared/webhooks/webhook-secret.ts';
import { registerWebhook } from './register-webhook.ts';

const sealText = textSealer(new KMSClient(awsClientOptions), setting('WEBHOOK_SECRETS_KEY_ID'));
const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  registerWebhook({
    createWebhook: webhookCreator(dynamo, setting('WEBHOOKS_TABLE')),
    findUser: usersIn(dynamo, setting('USERS_TABLE')),
    guardTarget: targetGuardSetting(),
    issueSecret: secretIssuer(sealText, randomBytes),
    clock: systemClock,
    newId: randomUUID,
  }),
);
