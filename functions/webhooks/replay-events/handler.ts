import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { environment } from '#shared/platform/environment.ts';
import { replayEventsContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { createSendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { replayEvents } from './replay-events.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const env = environment({
    clientsTable: 'CLIENTS_TABLE',
    webhooksTable: 'WEBHOOKS_TABLE',
    slotsTable: 'SLOTS_TABLE',
    allowancesTable: 'ALLOWANCES_TABLE',
    replaysQueue: 'REPLAYS_QUEUE',
  });
  return approvedEndpoint(
    replayEventsContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    replayEvents({
      webhooks: createWebhookRepository(dynamo, env.webhooksTable),
      slots: createSlots(dynamo, env.slotsTable, clock),
      allowances: createDailyAllowances(dynamo, env.allowancesTable, clock),
      sendMessage: createSendReplayMessage(sqs, env.replaysQueue),
      clock,
      newId,
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
