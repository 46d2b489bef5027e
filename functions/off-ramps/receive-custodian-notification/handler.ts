import { SQSClient } from '@aws-sdk/client-sqs';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { receiveCustodianNotificationContract } from '#shared/off-ramps/custodians/custodian-notification-contract.ts';
import { notifyingCustodians, searchingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { createFindTransfer, createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { createSendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { type AwsClients, awsClientOptions, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { providerEndpoint } from '#shared/platform/http/endpoints.ts';
import { receiveCustodianNotification } from './receive-custodian-notification.ts';

export function wire(
  {
    dynamo,
    sqs,
    custodians,
    notifiers,
  }: Pick<AwsClients, 'dynamo' | 'sqs'> & {
    readonly custodians: Custodians<'findTransfers' | 'findTransfer'>;
    readonly notifiers: Custodians<'readNotification'>;
  },
  clock: Clock,
) {
  const env = environment({ depositsTable: 'DEPOSITS_TABLE', notifiedTransfersQueue: 'NOTIFIED_TRANSFERS_QUEUE' });
  return providerEndpoint(
    receiveCustodianNotificationContract,
    clock,
    receiveCustodianNotification({
      notifiers,
      isServed: (network) => custodians.has(network),
      findTransfers: createFindTransfers(custodians, clock),
      findTransfer: createFindTransfer(custodians, clock),
      deposits: createDepositRepository(dynamo, env.depositsTable, clock),
      searches: createHashSearches(dynamo, env.depositsTable, clock),
      sendPoll: createSendDepositPoll(sqs, env.notifiedTransfersQueue),
      clock,
    }),
  );
}

const notifiers = notifyingCustodians(systemClock);
const nothing = { rawBody: Buffer.alloc(0), headers: new Map(), query: {} };
await Promise.all([...new Set(notifiers.values())].map(({ readNotification }) => warmUp(readNotification(nothing))));
export const handler = wire(
  { dynamo, sqs: new SQSClient(awsClientOptions), custodians: searchingCustodians(systemClock), notifiers },
  systemClock,
);
