import { SQSClient } from '@aws-sdk/client-sqs';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import { createDepositPolls, createSendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { releaseDueDeposits } from './release-due-deposits.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock) {
  const env = environment({
    depositsTable: 'DEPOSITS_TABLE',
    clientsTable: 'CLIENTS_TABLE',
    notifiedTransfersQueue: 'NOTIFIED_TRANSFERS_QUEUE',
  });
  return logEachCall(
    'release-due-deposits',
    clock,
    releaseDueDeposits({
      polls: createDepositPolls(dynamo, env.depositsTable, clock),
      listClientIds: createListClientIds(dynamo, env.clientsTable),
      sendPoll: createSendDepositPoll(sqs, env.notifiedTransfersQueue),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock);
