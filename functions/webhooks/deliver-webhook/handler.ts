import { randomUUID } from 'node:crypto';
import { KMSClient } from '@aws-sdk/client-kms';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { type AwsClients, awsClientOptions, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { createDecrypt } from '#shared/platform/aws/kms.ts';
import { handleEachMessage } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { createSendDeliveryMessage, parseDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { type CallWebhook, createCallWebhook } from '#shared/webhooks/http-client/call-webhook.ts';
import { createDecryptSecret, createSendEvent } from '#shared/webhooks/http-client/send-event.ts';
import { type GuardTarget, ssrfGuardSetting } from '#shared/webhooks/http-client/ssrf-guard.ts';
import { createDeliveryClaims } from '#shared/webhooks/store/delivery-claims.ts';
import { createDeliverySlots, deliverySharesSetting } from '#shared/webhooks/store/delivery-slots.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createChangeWebhook, createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import {
  createConcludeAttempt,
  createConcludeCall,
  createDeactivateWebhook,
  createNextAttempts,
} from './conclude-attempt.ts';
import { deliverWebhook, probeWebhook } from './deliver-webhook.ts';

const nameOf = (address: string, separator: string) => address.split(separator).at(-1);

export function wire(
  {
    dynamo,
    kms,
    sqs,
    guardUrl,
    callWebhook,
  }: Pick<AwsClients, 'dynamo' | 'kms' | 'sqs'> & {
    readonly guardUrl: GuardTarget;
    readonly callWebhook: CallWebhook;
  },
  clock: Clock,
  newId: () => string,
) {
  const env = environment({
    webhooksTable: 'WEBHOOKS_TABLE',
    deliveriesTable: 'DELIVERIES_TABLE',
    webhookHealthTable: 'WEBHOOK_HEALTH_TABLE',
    slotsTable: 'SLOTS_TABLE',
    deliveryFirstQueue: 'DELIVERY_FIRST_QUEUE',
    deliveryRetryQueue: 'DELIVERY_RETRY_QUEUE',
    webhookSecretsKeyId: 'WEBHOOK_SECRETS_KEY_ID',
    eventsTable: 'EVENTS_TABLE',
  });
  const webhooks = createWebhookRepository(dynamo, env.webhooksTable);
  const claims = createDeliveryClaims(dynamo, env.deliveriesTable, clock);
  const health = createWebhookHealthRepository(dynamo, env.webhookHealthTable, clock);
  const slots = createSlots(dynamo, env.slotsTable, clock);
  const next = createNextAttempts({
    claims,
    sendFirst: createSendDeliveryMessage(sqs, env.deliveryFirstQueue),
    sendRetry: createSendDeliveryMessage(sqs, env.deliveryRetryQueue),
    clock,
  });
  const sendEvent = createSendEvent({
    guardUrl,
    decryptSecret: createDecryptSecret(createDecrypt(kms, env.webhookSecretsKeyId), clock),
    callWebhook,
    clock,
  });
  const deactivate = createDeactivateWebhook({
    webhooks,
    changeWebhook: createChangeWebhook(dynamo, env.webhooksTable),
    clock,
  });
  const concludeCall = createConcludeCall({ health, deactivate });
  const calls = {
    slots: createDeliverySlots(slots, deliverySharesSetting()),
    webhooks,
    health,
    sendEvent,
    clock,
    newId,
  };
  const probe = probeWebhook({ ...calls, concludeCall });
  const deliver = deliverWebhook({
    ...calls,
    claims,
    events: createEventRepository(dynamo, env.eventsTable),
    next,
    conclude: createConcludeAttempt({ next, concludeCall, webhooks, clock }),
  });
  return handleEachMessage('deliver-webhook', clock, (body, queueArn) => {
    const message = parseDeliveryMessage(body);
    if ('probe' in message) return probe(message);
    return deliver(message, nameOf(queueArn, ':') === nameOf(env.deliveryFirstQueue, '/') ? 'first' : 'retries');
  });
}

const kms = new KMSClient(awsClientOptions);
// The queues need no warm-up: a successful attempt does not use them.
await Promise.all([
  warmUp(createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')).find(NIL_UUID, NIL_UUID)),
  warmUp(createDecrypt(kms, setting('WEBHOOK_SECRETS_KEY_ID'))('none', { webhookId: NIL_UUID })),
]);
export const handler = wire(
  {
    dynamo,
    kms,
    sqs: new SQSClient(awsClientOptions),
    guardUrl: ssrfGuardSetting(systemClock),
    callWebhook: createCallWebhook(systemClock),
  },
  systemClock,
  randomUUID,
);
