import { SQSClient } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import { createEventRepository } from '#shared/events/event-store.ts';
import { queuedEvent } from '#shared/events/notified-events.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eachMessage } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createDeliveryQueue } from '#shared/webhooks/store/delivery-queue.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { fanOutEvent } from './fan-out-event.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  const fanOut = fanOutEvent({
    events: createEventRepository(dynamo, setting('EVENTS_TABLE')),
    webhooks: createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')),
    deliveries: createDeliveryQueue(dynamo, setting('DELIVERIES_TABLE'), clock),
    health: createWebhookHealthRepository(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock),
    sendMessage: createSendDeliveryMessage(sqs, setting('DELIVERY_FIRST_QUEUE')),
    clock,
    notifying: {
      ownTypes: names.parse(JSON.parse(setting('OWN_EVENT_TYPES'))),
      otherSources: names.parse(JSON.parse(setting('OTHER_SOURCES'))),
    },
  });
  return eachMessage('fan-out-event', clock, (body) => fanOut(queuedEvent.parse(JSON.parse(body))));
}

const names = z.array(z.string());

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock);
