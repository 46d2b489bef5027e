import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveryQueueIn, dueDeliveryShards } from '#shared/dynamodb/delivery-queue.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
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
    webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
    health: webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), systemClock),
    shards: dueDeliveryShards,
    sendMessage: deliveryMessageQueue(new SQSClient(awsClientOptions), setting('DELIVERY_RETRY_QUEUE')),
    clock: systemClock,
  }),
  (run) => run,
);
