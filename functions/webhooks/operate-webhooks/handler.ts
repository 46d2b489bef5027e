import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NIL_UUID, warmUp } from '#shared/platform/warm-up.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createSendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { operateWebhooks } from './operate-webhooks.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const tables = {
    audit: setting('AUDIT_TABLE'),
    webhooks: setting('WEBHOOKS_TABLE'),
    webhookHealth: setting('WEBHOOK_HEALTH_TABLE'),
    deliveries: setting('DELIVERIES_TABLE'),
  };
  const sendDeliveryMessage = createSendDeliveryMessage(sqs, setting('DELIVERY_RETRY_QUEUE'));
  const sendReplayMessage = createSendReplayMessage(sqs, setting('REPLAYS_QUEUE'));
  return operateWebhooks({ dynamo, tables, sendDeliveryMessage, sendReplayMessage, clock, newId });
}

await warmUp(createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')).find(NIL_UUID, NIL_UUID));
export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
