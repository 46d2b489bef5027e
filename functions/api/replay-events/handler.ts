import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { replayEvents as contract } from '#shared/contracts/replay-events.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { createSlots } from '#shared/dynamodb/slots.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { replayQueue } from '#shared/sqs/replay-messages.ts';
import { replayEvents } from './replay-events.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    replayEvents({
      webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
      slots: createSlots(dynamo, setting('SLOTS_TABLE'), clock),
      sendMessage: replayQueue(sqs, setting('REPLAYS_QUEUE')),
      clock,
      newId,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
