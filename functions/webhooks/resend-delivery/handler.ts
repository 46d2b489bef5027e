import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createIdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { environment } from '#shared/platform/environment.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { resendDeliveryContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery/delivery-messages.ts';
import { createResend } from '#shared/webhooks/delivery/resend.ts';
import { createDeliveryQueue, createDeliveryRepository } from '#shared/webhooks/store/delivery-repository.ts';
import { createWebhookHealthRepository } from '#shared/webhooks/store/webhook-health-repository.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { resendDelivery } from './resend-delivery.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const env = environment({
    deliveriesTable: 'DELIVERIES_TABLE',
    idempotencyTable: 'IDEMPOTENCY_TABLE',
    clientsTable: 'CLIENTS_TABLE',
    webhooksTable: 'WEBHOOKS_TABLE',
    webhookHealthTable: 'WEBHOOK_HEALTH_TABLE',
    deliveryRetryQueue: 'DELIVERY_RETRY_QUEUE',
  });
  const records = createIdempotencyRecords(dynamo, env.idempotencyTable, newId);
  const instant = () => clock.now().toISOString();
  return approvedEndpoint(
    resendDeliveryContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    resendDelivery({
      webhooks: createWebhookRepository(dynamo, env.webhooksTable),
      deliveries: createDeliveryRepository(dynamo, env.deliveriesTable),
      resend: createResend({
        health: createWebhookHealthRepository(dynamo, env.webhookHealthTable, clock),
        queue: createDeliveryQueue(dynamo, env.deliveriesTable, clock),
        sendMessage: createSendDeliveryMessage(sqs, env.deliveryRetryQueue),
        clock,
      }),
      runIdempotently: createRunIdempotently(records, clock, instant),
      clock,
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
