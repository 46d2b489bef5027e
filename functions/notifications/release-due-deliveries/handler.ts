import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamo } from '#shared/dynamodb/client.ts';
import { deliveryQueueIn, dueDeliveryShards } from '#shared/dynamodb/delivery-queue.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { deliveryMessageQueue } from '#shared/sqs/delivery-messages.ts';
import { releaseDueDeliveries } from './release-due-deliveries.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  return eachCall(
    'release-due-deliveries',
    clock,
    releaseDueDeliveries({
      deliveries: deliveryQueueIn(dynamo, setting('DELIVERIES_TABLE'), clock),
      webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
      health: webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock),
      shards: dueDeliveryShards,
      sendMessage: deliveryMessageQueue(sqs, setting('DELIVERY_RETRY_QUEUE')),
      clock,
    }),
    (run) => run,
  );
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock);
