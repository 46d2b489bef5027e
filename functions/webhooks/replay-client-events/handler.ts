import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createEventRepository, unpublishedShards } from '#shared/events/event-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eachMessage } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { setting } from '#shared/platform/environment.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createSendReplayMessage, parseReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createDeliveryQueue } from '#shared/webhooks/store/delivery-queue.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { replayClientEvents } from './replay-client-events.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const slots = createSlots(dynamo, setting('SLOTS_TABLE'), clock);
  const replay = replayClientEvents({
    events: createEventRepository(dynamo, setting('EVENTS_TABLE')),
    unpublishedShards,
    slots,
    webhooks: createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')),
    queue: createDeliveryQueue(dynamo, setting('DELIVERIES_TABLE'), clock),
    sendDeliveryMessage: createSendDeliveryMessage(sqs, setting('DELIVERY_RETRY_QUEUE')),
    sendReplayMessage: createSendReplayMessage(sqs, setting('REPLAYS_QUEUE')),
    clock,
    newId,
  });
  return eachMessage('replay-client-events', clock, (body) => replay(parseReplayMessage(body)));
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
