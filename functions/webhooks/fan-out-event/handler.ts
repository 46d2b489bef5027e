import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { queuedEvent } from '#shared/events/notified-events.ts';
import { type AwsClients, awsClientOptions, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { handleEachMessage, sendEmptyBatch } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createDeliveryQueue } from '#shared/webhooks/store/delivery-repository.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { fanOutEvent } from './fan-out-event.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  const env = environment({
    eventsTable: 'EVENTS_TABLE',
    webhooksTable: 'WEBHOOKS_TABLE',
    deliveriesTable: 'DELIVERIES_TABLE',
    webhookHealthTable: 'WEBHOOK_HEALTH_TABLE',
    deliveryFirstQueue: 'DELIVERY_FIRST_QUEUE',
    ownEventTypes: 'OWN_EVENT_TYPES',
    otherSources: 'OTHER_SOURCES',
  });
  const fanOut = fanOutEvent({
    events: createEventRepository(dynamo, env.eventsTable),
    webhooks: createWebhookRepository(dynamo, env.webhooksTable),
    deliveries: createDeliveryQueue(dynamo, env.deliveriesTable, clock),
    health: createWebhookHealthRepository(dynamo, env.webhookHealthTable, clock),
    sendMessage: createSendDeliveryMessage(sqs, env.deliveryFirstQueue),
    clock,
    notifying: {
      ownTypes: names.parse(JSON.parse(env.ownEventTypes)),
      otherSources: names.parse(JSON.parse(env.otherSources)),
    },
  });
  return handleEachMessage('fan-out-event', clock, (body) => fanOut(queuedEvent.parse(JSON.parse(body))));
}

const names = z.array(z.string());

const sqs = new SQSClient(awsClientOptions);
await Promise.all([
  warmUp(createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')).list(NIL_UUID)),
  warmUp(sendEmptyBatch(sqs, setting('DELIVERY_FIRST_QUEUE'))),
]);
export const handler = wire({ dynamo, sqs }, systemClock);
