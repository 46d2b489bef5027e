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
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { targetGuardSetting } from '#shared/runtime/target-guard.ts';
import { type CallWebhook, webhookCaller } from '#shared/webhooks/call-webhook.ts';
import { eventSender } from '#shared/webhooks/send-event.ts';
import type { GuardTarget } from '#shared/webhooks/target-guard.ts';
import { secretOpener } from '#shared/webhooks/webhook-secret.ts';
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
