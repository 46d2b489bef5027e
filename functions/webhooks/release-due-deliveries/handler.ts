import { SQSClient } from '@aws-sdk/client-sqs';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { eachCall } from '#shared/platform/each-call.ts';
import { setting } from '#shared/platform/environment.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createSendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createDeliveryQueue } from '#shared/webhooks/store/delivery-queue.ts';
import { createWebhookHealthRepository, dueWebhookShards } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { releaseDueDeliveries } from './release-due-deliveries.ts';
import { tendWebhooks } from './tend-webhooks.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  const webhooks = createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE'));
  const health = createWebhookHealthRepository(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock);
  const sendMessage = createSendDeliveryMessage(sqs, setting('DELIVERY_RETRY_QUEUE'));
  const tend = tendWebhooks({
    health,
    webhooks,
    shards: dueWebhookShards,
    sendProbe: sendMessage,
    sendReplay: createSendReplayMessage(sqs, setting('REPLAYS_QUEUE')),
    clock,
  });
  const release = releaseDueDeliveries({
    deliveries: createDeliveryQueue(dynamo, setting('DELIVERIES_TABLE'), clock),
    webhooks,
    health,
    listClientIds: createListClientIds(dynamo, setting('CLIENTS_TABLE')),
    sendMessage,
    clock,
  });
  return eachCall(
    'release-due-deliveries',
    clock,
    async () => {
      await tend();
      return await release();
    },
    (run) => run,
  );
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock);
