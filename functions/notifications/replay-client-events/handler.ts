import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveryQueueIn } from '#shared/dynamodb/delivery-queue.ts';
import { eventsIn } from '#shared/dynamodb/events.ts';
import { createSlots } from '#shared/dynamodb/slots.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { deliveryMessageQueue } from '#shared/sqs/delivery-messages.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { parseReplayMessage, replayQueue } from '#shared/sqs/replay-messages.ts';
import { replayClientEvents } from './replay-client-events.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const slots = createSlots(dynamo, setting('SLOTS_TABLE'), clock);
  const replay = replayClientEvents({
    events: eventsIn(dynamo, setting('EVENTS_TABLE')),
    slots,
    webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
    queue: deliveryQueueIn(dynamo, setting('DELIVERIES_TABLE'), clock),
    sendDeliveryMessage: deliveryMessageQueue(sqs, setting('DELIVERY_RETRY_QUEUE')),
    sendReplayMessage: replayQueue(sqs, setting('REPLAYS_QUEUE')),
    clock,
    newId,
  });
  return eachMessage('replay-client-events', clock, (body) => replay(parseReplayMessage(body)));
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
