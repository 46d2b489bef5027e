import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { testWebhook as contract } from '#shared/contracts/test-webhook.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { textOpener } from '#shared/kms/open-text.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { targetGuardSetting } from '#shared/runtime/target-guard.ts';
import { webhookCaller } from '#shared/webhooks/call-webhook.ts';
import { eventSender } from '#shared/webhooks/send-event.ts';
import { secretOpener } from '#shared/webhooks/webhook-secret.ts';
import { testWebhook } from './test-webhook.ts';

const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  testWebhook({
    webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
    health: webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), systemClock),
    sendEvent: eventSender({
      guardTarget: targetGuardSetting(),
      openSecret: secretOpener(textOpener(new KMSClient(awsClientOptions), setting('WEBHOOK_SECRETS_KEY_ID'))),
      callWebhook: webhookCaller(),
      clock: systemClock,
    }),
    clock: systemClock,
    newId: randomUUID,
  }),
);
