import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createEventRepository } from '#shared/events/event-repository.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { handleEachMessage } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { environment } from '#shared/platform/environment.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createSendReplayMessage, parseReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createDeliveryQueue } from '#shared/webhooks/store/delivery-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { replayClientEvents } from './replay-client-events.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const env = environment({
    slotsTable: 'SLOTS_TABLE',
    eventsTable: 'EVENTS_TABLE',
    webhooksTable: 'WEBHOOKS_TABLE',
    deliveriesTable: 'DELIVERIES_TABLE',
    deliveryRetryQueue: 'DELIVERY_RETRY_QUEUE',
    replaysQueue: 'REPLAYS_QUEUE',
  });
  const slots = createSlots(dynamo, env.slotsTable, clock);
  const replay = replayClientEvents({
    events: createEventRepository(dynamo, env.eventsTable),
    slots,
    webhooks: createWebhookRepository(dynamo, env.webhooksTable),
    queue: createDeliveryQueue(dynamo, env.deliveriesTable, clock),
    sendDeliveryMessage: createSendDeliveryMessage(sqs, env.deliveryRetryQueue),
    sendReplayMessage: createSendReplayMessage(sqs, env.replaysQueue),
    clock,
    newId,
  });
  return handleEachMessage('replay-client-events', clock, (body) => replay(parseReplayMessage(body)));
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
