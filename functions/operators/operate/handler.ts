import { randomBytes, randomUUID } from 'node:crypto';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { SQSClient } from '@aws-sdk/client-sqs';
import { createClientKeys } from '#shared/clients/client-keys.ts';
import { createFindClient } from '#shared/clients/client-store.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { eventBus } from '#shared/platform/aws/event-bus.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NIL_UUID, warmUp } from '#shared/platform/warm-up.ts';
import { createSendDeliveryMessage } from '#shared/webhooks/delivery-messages.ts';
import { createSendReplayMessage } from '#shared/webhooks/replay-messages.ts';
import { createMoveDeadLetters } from './move-dead-letters.ts';
import { operate } from './operate.ts';

export function wire(
  {
    apiGateway,
    dynamo,
    eventBridge,
    sqs,
    randomBytes,
  }: Pick<AwsClients, 'apiGateway' | 'dynamo' | 'eventBridge' | 'sqs'> & {
    readonly randomBytes: (size: number) => Buffer;
  },
  clock: Clock,
  newId: () => string,
) {
  const tables = {
    audit: setting('AUDIT_TABLE'),
    clients: setting('CLIENTS_TABLE'),
    users: setting('USERS_TABLE'),
    wallets: setting('WALLETS_TABLE'),
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    deposits: setting('DEPOSITS_TABLE'),
    payins: setting('PAYINS_TABLE'),
    events: setting('EVENTS_TABLE'),
    parameters: setting('PARAMETERS_TABLE'),
    webhooks: setting('WEBHOOKS_TABLE'),
    webhookHealth: setting('WEBHOOK_HEALTH_TABLE'),
    deliveries: setting('DELIVERIES_TABLE'),
  };
  return operate({
    dynamo,
    tables,
    bus: eventBus(eventBridge, setting('EVENT_BUS_NAME')),
    createKey: createClientKeys(apiGateway, setting('CLIENTS_USAGE_PLAN')),
    sendDeliveryMessage: createSendDeliveryMessage(sqs, setting('DELIVERY_RETRY_QUEUE')),
    sendReplayMessage: createSendReplayMessage(sqs, setting('REPLAYS_QUEUE')),
    moveDeadLetters: createMoveDeadLetters(sqs, setting('WORK_QUEUES')),
    clock,
    newId,
    randomBytes,
  });
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire(
  {
    apiGateway: new APIGatewayClient(awsClientOptions),
    dynamo,
    eventBridge: new EventBridgeClient(awsClientOptions),
    sqs: new SQSClient(awsClientOptions),
    randomBytes,
  },
  systemClock,
  randomUUID,
);
