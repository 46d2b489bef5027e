import { SQSClient } from '@aws-sdk/client-sqs';
import { dynamo } from '#shared/dynamodb/client.ts';
import { createDepositPolls, duePollShards } from '#shared/dynamodb/deposit-polls.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { createSendDepositPoll } from '#shared/sqs/deposit-polls.ts';
import { releaseDueDeposits } from './release-due-deposits.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  return eachCall(
    'release-due-deposits',
    clock,
    releaseDueDeposits({
      polls: createDepositPolls(dynamo, setting('DEPOSITS_TABLE'), clock),
      shards: duePollShards,
      sendPoll: createSendDepositPoll(sqs, setting('NOTIFIED_TRANSFERS_QUEUE')),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock);
