import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveryQueueIn } from '#shared/dynamodb/delivery-queue.ts';
import { eventsIn } from '#shared/dynamodb/events.ts';
import { createSlots } from '#shared/dynamodb/slots.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { deliveryMessageQueue } from '#shared/sqs/delivery-messages.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { parseReplayMessage, replayQueue } from '#shared/sqs/replay-messages.ts';
import { replayClientEvents } from './replay-client-events.ts';

const slots = createSlots(dynamo, setting('SLOTS_TABLE'), systemClock);
const sqs = new SQSClient(awsClientOptions);

const replay = replayClientEvents({
  events: eventsIn(dynamo, setting('EVENTS_TABLE')),
  slots,
  webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
  queue: deliveryQueueIn(dynamo, setting('DELIVERIES_TABLE')),
  sendDeliveryMessage: deliveryMessageQueue(sqs, setting('DELIVERY_RETRY_QUEUE')),
  sendReplayMessage: replayQueue(sqs, setting('REPLAYS_QUEUE')),
  clock: systemClock,
  newId: randomUUID,
});

export const handler = eachMessage('replay-client-events', (body) => replay(parseReplayMessage(body)));
