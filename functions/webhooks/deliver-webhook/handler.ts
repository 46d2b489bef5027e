import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { eventsIn } from '#shared/events/event-store.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { textOpener } from '#shared/platform/aws/decrypt.ts';
import { eachMessage } from '#shared/platform/aws/each-message.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { setting } from '#shared/platform/environment.ts';
import { type CallWebhook, webhookCaller } from '#shared/webhooks/call-webhook.ts';
import { deliveryClaimsIn } from '#shared/webhooks/delivery-claims.ts';
import { deliveryMessageQueue, parseDeliveryMessage } from '#shared/webhooks/delivery-messages.ts';
import { deliverySharesSetting } from '#shared/webhooks/delivery-shares.ts';
import { createDeliverySlots } from '#shared/webhooks/delivery-slots.ts';
import { eventSender } from '#shared/webhooks/send-event.ts';
import type { GuardTarget } from '#shared/webhooks/ssrf-guard.ts';
import { targetGuardSetting } from '#shared/webhooks/ssrf-guard-setting.ts';
import { webhookHealthIn } from '#shared/webhooks/webhook-health-records.ts';
import { secretOpener } from '#shared/webhooks/webhook-secret.ts';
import { webhooksIn } from '#shared/webhooks/webhook-store.ts';
import { webhookChanger } from '#shared/webhooks/write-webhook.ts';
import { attemptConclusion } from './conclude-attempt.ts';
import { webhookDeactivator } from './deactivate-webhook.ts';
import { deliverWebhook } from './deliver-webhook.ts';
import { nextAttempts } from './next-attempts.ts';

const nameOf = (address: string, separator: string) => address.split(separator).at(-1);

export function wire(
  {
    dynamo,
    kms,
    sqs,
    guardTarget,
    callWebhook,
  }: Pick<AwsClients, 'dynamo' | 'kms' | 'sqs'> & {
    readonly guardTarget: GuardTarget;
    readonly callWebhook: CallWebhook;
  },
  clock: Clock,
  newId: () => string,
) {
  const webhooksTable = setting('WEBHOOKS_TABLE');
  const webhooks = webhooksIn(dynamo, webhooksTable);
  const claims = deliveryClaimsIn(dynamo, setting('DELIVERIES_TABLE'), clock);
  const health = webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock);
  const slots = createSlots(dynamo, setting('SLOTS_TABLE'), clock);
  const firstQueue = setting('DELIVERY_FIRST_QUEUE');
  const next = nextAttempts({
    claims,
    sendFirst: deliveryMessageQueue(sqs, firstQueue),
    sendRetry: deliveryMessageQueue(sqs, setting('DELIVERY_RETRY_QUEUE')),
    clock,
  });
  const deliver = deliverWebhook({
    slots: createDeliverySlots(slots, deliverySharesSetting()),
    claims,
    webhooks,
    events: eventsIn(dynamo, setting('EVENTS_TABLE')),
    health,
    sendEvent: eventSender({
      guardTarget,
      openSecret: secretOpener(textOpener(kms, setting('WEBHOOK_SECRETS_KEY_ID'))),
      callWebhook,
      clock,
    }),
    next,
    conclude: attemptConclusion({
      next,
      health,
      deactivate: webhookDeactivator({
        webhooks,
        changeWebhook: webhookChanger(dynamo, webhooksTable),
        clock,
      }),
      clock,
    }),
    clock,
    newId,
  });
  return eachMessage('deliver-webhook', clock, (body, queueArn) =>
    deliver(parseDeliveryMessage(body), nameOf(queueArn, ':') === nameOf(firstQueue, '/') ? 'first' : 'retries'),
  );
}

export const handler = wire(
  {
    dynamo,
    kms: new KMSClient(awsClientOptions),
    sqs: new SQSClient(awsClientOptions),
    guardTarget: targetGuardSetting(systemClock),
    callWebhook: webhookCaller(systemClock),
  },
  systemClock,
  randomUUID,
);
