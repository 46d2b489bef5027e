import { SQSClient } from '@aws-sdk/client-sqs';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { custodianSetting } from '#shared/off-ramps/custodians/custodians.ts';
import { createReadNotification } from '#shared/off-ramps/custodians/read-notification.ts';
import { createSendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { providerEndpoint } from '#shared/platform/http/endpoints.ts';
import { warmUp } from '#shared/platform/warm-up.ts';
import { receiveCustodianNotification } from './receive-custodian-notification.ts';

export function wire(
  {
    dynamo,
    sqs,
    custodian,
  }: Pick<AwsClients, 'dynamo' | 'sqs'> & { readonly custodian: Pick<Custodian, 'name' | 'readNotification'> },
  clock: Clock,
) {
  const env = environment({ depositsTable: 'DEPOSITS_TABLE', notifiedTransfersQueue: 'NOTIFIED_TRANSFERS_QUEUE' });
  return providerEndpoint(
    receiveCustodianNotificationContract,
    clock,
    receiveCustodianNotification({
      readNotification: createReadNotification(custodian),
      deposits: createDepositRepository(dynamo, env.depositsTable, clock),
      sendPoll: createSendDepositPoll(sqs, env.notifiedTransfersQueue),
      clock,
    }),
  );
}

const { name, readNotification } = custodianSetting();
await warmUp(readNotification({ rawBody: Buffer.alloc(0), headers: new Map() }));
export const handler = wire(
  { dynamo, sqs: new SQSClient(awsClientOptions), custodian: { name, readNotification } },
  systemClock,
);
