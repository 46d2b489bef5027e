import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { clientsIn } from '#shared/clients/client-store.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { textOpener } from '#shared/platform/aws/decrypt.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import { type CallWebhook, webhookCaller } from '#shared/webhooks/call-webhook.ts';
import { eventSender } from '#shared/webhooks/send-event.ts';
import type { GuardTarget } from '#shared/webhooks/ssrf-guard.ts';
import { targetGuardSetting } from '#shared/webhooks/ssrf-guard-setting.ts';
import { testWebhook as contract } from '#shared/webhooks/test-webhook-contract.ts';
import { webhookHealthIn } from '#shared/webhooks/webhook-health-records.ts';
import { secretOpener } from '#shared/webhooks/webhook-secret.ts';
import { webhooksIn } from '#shared/webhooks/webhook-store.ts';
import { testWebhook } from './test-webhook.ts';

export function wire(
  {
    dynamo,
    kms,
    guardTarget,
    callWebhook,
  }: Pick<AwsClients, 'dynamo' | 'kms'> & { readonly guardTarget: GuardTarget; readonly callWebhook: CallWebhook },
  clock: Clock,
  newId: () => string,
) {
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    testWebhook({
      webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
      health: webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock),
      sendEvent: eventSender({
        guardTarget,
        openSecret: secretOpener(textOpener(kms, setting('WEBHOOK_SECRETS_KEY_ID'))),
        callWebhook,
        clock,
      }),
      clock,
      newId,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire(
  {
    dynamo,
    kms: new KMSClient(awsClientOptions),
    guardTarget: targetGuardSetting(systemClock),
    callWebhook: webhookCaller(systemClock),
  },
  systemClock,
  randomUUID,
);
