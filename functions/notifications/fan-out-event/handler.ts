import { SQSClient } from '@aws-sdk/client-sqs';
import { notifiedEvent } from '#shared/contracts/notified-events.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveryQueueIn } from '#shared/dynamodb/delivery-queue.ts';
import { eventsIn } from '#shared/dynamodb/events.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { deliveryMessageQueue } from '#shared/sqs/delivery-messages.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { fanOutEvent } from './fan-out-event.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  const fanOut = fanOutEvent({
    events: eventsIn(dynamo, setting('EVENTS_TABLE')),
    webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
    deliveries: deliveryQueueIn(dynamo, setting('DELIVERIES_TABLE'), clock),
    health: webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock),
    sendMessage: deliveryMessageQueue(sqs, setting('DELIVERY_FIRST_QUEUE')),
    clock,
  });
  return eachMessage('fan-out-event', clock, (body) => fanOut(notifiedEvent.parse(JSON.parse(body))));
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock);
