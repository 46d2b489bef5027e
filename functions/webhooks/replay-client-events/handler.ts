import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createEventStore } from '#shared/events/event-store.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { eachMessage } from '#shared/platform/aws/each-message.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { setting } from '#shared/platform/environment.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery-messages.ts';
import { createDeliveryQueue } from '#shared/webhooks/delivery-queue.ts';
import { createSendReplayMessage, parseReplayMessage } from '#shared/webhooks/replay-messages.ts';
import { createWebhookStore } from '#shared/webhooks/webhook-store.ts';
import { replayClientEvents } from './replay-client-events.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const slots = createSlots(dynamo, setting('SLOTS_TABLE'), clock);
  const replay = replayClientEvents({
    events: createEventStore(dynamo, setting('EVENTS_TABLE')),
    slots,
    webhooks: createWebhookStore(dynamo, setting('WEBHOOKS_TABLE')),
    queue: createDeliveryQueue(dynamo, setting('DELIVERIES_TABLE'), clock),
    sendDeliveryMessage: createSendDeliveryMessage(sqs, setting('DELIVERY_RETRY_QUEUE')),
    sendReplayMessage: createSendReplayMessage(sqs, setting('REPLAYS_QUEUE')),
    clock,
    newId,
  });
  return eachMessage('replay-client-events', clock, (body) => replay(parseReplayMessage(body)));
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
