import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { replayEvents as contract } from '#shared/contracts/replay-events.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { createSlots } from '#shared/dynamodb/slots.ts';
import { webhooksIn } from '#shared/dynamodb/webhooks.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { replayQueue } from '#shared/sqs/replay-messages.ts';
import { replayEvents } from './replay-events.ts';

const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  replayEvents({
    webhooks: webhooksIn(dynamo, setting('WEBHOOKS_TABLE')),
    slots: createSlots(dynamo, setting('SLOTS_TABLE'), systemClock),
    sendMessage: replayQueue(new SQSClient(awsClientOptions), setting('REPLAYS_QUEUE')),
    clock: systemClock,
    newId: randomUUID,
  }),
);
