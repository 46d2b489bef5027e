import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveryClaimsIn } from '#shared/dynamodb/delivery-claims.ts';
import { createDeliverySlots } from '#shared/dynamodb/delivery-slots.ts';
import { eventsIn } from '#shared/dynamodb/events.ts';
import { createSlots } from '#shared/dynamodb/slots.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { webhookChanger } from '#shared/dynamodb/write-webhook.ts';
import { textOpener } from '#shared/kms/open-text.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { deliverySharesSetting } from '#shared/runtime/delivery-shares.ts';
import { setting } from '#shared/runtime/environment.ts';
import { targetGuardSetting } from '#shared/runtime/target-guard.ts';
import { deliveryMessageQueue, parseDeliveryMessage } from '#shared/sqs/delivery-messages.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { type CallWebhook, webhookCaller } from '#shared/webhooks/call-webhook.ts';
import { eventSender } from '#shared/webhooks/send-event.ts';
import type { GuardTarget } from '#shared/webhooks/target-guard.ts';
import { secretOpener } from '#shared/webhooks/webhook-secret.ts';
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
