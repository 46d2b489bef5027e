import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { resendDelivery as contract } from '#shared/contracts/resend-delivery.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { deliveriesIn } from '#shared/dynamodb/deliveries.ts';
import { deliveryQueueIn } from '#shared/dynamodb/delivery-queue.ts';
import { idempotencyRecordsIn } from '#shared/dynamodb/idempotency-records.ts';
import { webhookHealthIn } from '#shared/dynamodb/webhook-health.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { idempotently } from '#shared/http/idempotency.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { deliveryMessageQueue } from '#shared/sqs/delivery-messages.ts';
import { resendDelivery } from './resend-delivery.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const table = setting('DELIVERIES_TABLE');
  const records = idempotencyRecordsIn(dynamo, setting('IDEMPOTENCY_TABLE'), newId);
  const instant = () => clock.now().toISOString();
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    resendDelivery({
      webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
      health: webhookHealthIn(dynamo, setting('WEBHOOK_HEALTH_TABLE'), clock),
      deliveries: deliveriesIn(dynamo, table),
      queue: deliveryQueueIn(dynamo, table, clock),
      sendMessage: deliveryMessageQueue(sqs, setting('DELIVERY_RETRY_QUEUE')),
      idempotently: idempotently(records, clock, instant),
      clock,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
