import { SQSClient } from '@aws-sdk/client-sqs';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createSendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createDeliveryQueue } from '#shared/webhooks/store/delivery-repository.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { releaseDueDeliveries } from './release-due-deliveries.ts';
import { tendWebhooks } from './tend-webhooks.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  const env = environment({
    webhooksTable: 'WEBHOOKS_TABLE',
    webhookHealthTable: 'WEBHOOK_HEALTH_TABLE',
    deliveryRetryQueue: 'DELIVERY_RETRY_QUEUE',
    replaysQueue: 'REPLAYS_QUEUE',
    deliveriesTable: 'DELIVERIES_TABLE',
    clientsTable: 'CLIENTS_TABLE',
  });
  const webhooks = createWebhookRepository(dynamo, env.webhooksTable);
  const health = createWebhookHealthRepository(dynamo, env.webhookHealthTable, clock);
  const sendMessage = createSendDeliveryMessage(sqs, env.deliveryRetryQueue);
  const tend = tendWebhooks({
    health,
    webhooks,
    sendProbe: sendMessage,
    sendReplay: createSendReplayMessage(sqs, env.replaysQueue),
    clock,
  });
  const release = releaseDueDeliveries({
    deliveries: createDeliveryQueue(dynamo, env.deliveriesTable, clock),
    webhooks,
    health,
    listClientIds: createListClientIds(dynamo, env.clientsTable),
    sendMessage,
    clock,
  });
  return logEachCall(
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
