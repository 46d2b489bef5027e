import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type AwsClients, awsClientOptions, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createSendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { operateWebhooks } from './operate-webhooks.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const env = environment({ deliveryRetryQueue: 'DELIVERY_RETRY_QUEUE', replaysQueue: 'REPLAYS_QUEUE' });
  const tables = environment({
    audit: 'AUDIT_TABLE',
    webhooks: 'WEBHOOKS_TABLE',
    webhookHealth: 'WEBHOOK_HEALTH_TABLE',
    deliveries: 'DELIVERIES_TABLE',
  });
  const sendDeliveryMessage = createSendDeliveryMessage(sqs, env.deliveryRetryQueue);
  const sendReplayMessage = createSendReplayMessage(sqs, env.replaysQueue);
  return operateWebhooks({ dynamo, tables, sendDeliveryMessage, sendReplayMessage, clock, newId });
}

await warmUp(createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')).find(NIL_UUID, NIL_UUID));
export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
