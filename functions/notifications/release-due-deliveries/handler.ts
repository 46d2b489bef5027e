import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveryQueueIn, dueDeliveryShards } from '#shared/dynamodb/delivery-queue.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { deliveryMessageQueue } from '#shared/sqs/delivery-messages.ts';
import { releaseDueDeliveries } from './release-due-deliveries.ts';

export const handler = eachCall(
  'release-due-deliveries',
  releaseDueDeliveries({
    deliveries: deliveryQueueIn(dynamo, setting('DELIVERIES_TABLE')),
    shards: dueDeliveryShards,
    sendMessage: deliveryMessageQueue(new SQSClient(awsClientOptions), setting('DELIVERY_RETRY_QUEUE')),
    clock: systemClock,
  }),
  (due) => ({ due }),
);
