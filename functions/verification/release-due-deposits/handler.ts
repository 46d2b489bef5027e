import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createDepositPolls, duePollShards } from '#shared/dynamodb/deposit-polls.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { createSendDepositPoll } from '#shared/sqs/deposit-polls.ts';
import { releaseDueDeposits } from './release-due-deposits.ts';

export const handler = eachCall(
  'release-due-deposits',
  releaseDueDeposits({
    polls: createDepositPolls(dynamo, setting('DEPOSITS_TABLE')),
    shards: duePollShards,
    sendPoll: createSendDepositPoll(new SQSClient(awsClientOptions), setting('NOTIFIED_TRANSFERS_QUEUE')),
    clock: systemClock,
  }),
  (due) => ({ due }),
);
