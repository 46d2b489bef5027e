import { SQSClient } from '@aws-sdk/client-sqs';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import { createDepositPolls, createSendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { eachCall } from '#shared/platform/each-call.ts';
import { setting } from '#shared/platform/environment.ts';
import { releaseDueDeposits } from './release-due-deposits.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  return eachCall(
    'release-due-deposits',
    clock,
    releaseDueDeposits({
      polls: createDepositPolls(dynamo, setting('DEPOSITS_TABLE'), clock),
      listClientIds: createListClientIds(dynamo, setting('CLIENTS_TABLE')),
      sendPoll: createSendDepositPoll(sqs, setting('NOTIFIED_TRANSFERS_QUEUE')),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock);
