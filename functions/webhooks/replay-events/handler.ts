import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createSlots } from '#shared/platform/dynamodb/slots.ts';
import { setting } from '#shared/platform/environment.ts';
import { NIL_UUID, warmUp } from '#shared/platform/warm-up.ts';
import { replayEventsContract } from '#shared/webhooks/contract/delivery-contract.ts';
import { createSendReplayMessage } from '#shared/webhooks/delivery/replay-messages.ts';
import { createWebhookRepository } from '#shared/webhooks/store/webhook-repository.ts';
import { replayEvents } from './replay-events.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  return approvedEndpoint(
    replayEventsContract,
    clock,
    createFindClient(dynamo, setting('CLIENTS_TABLE')),
    replayEvents({
      webhooks: createWebhookRepository(dynamo, setting('WEBHOOKS_TABLE')),
      slots: createSlots(dynamo, setting('SLOTS_TABLE'), clock),
      allowances: createDailyAllowances(dynamo, setting('ALLOWANCES_TABLE'), clock),
      sendMessage: createSendReplayMessage(sqs, setting('REPLAYS_QUEUE')),
      clock,
      newId,
    }),
  );
}

await warmUp(createFindClient(dynamo, setting('CLIENTS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
