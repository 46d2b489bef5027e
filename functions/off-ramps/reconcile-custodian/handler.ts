import { SQSClient } from '@aws-sdk/client-sqs';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { listingCustodians, scanningCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { createCustodianLists } from '#shared/off-ramps/store/custodian-lists.ts';
import { createSendDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { assetAmountsSetting } from '#shared/parameters/asset-amounts.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { reconcileCustodian } from './reconcile-custodian.ts';

export function wire(
  {
    dynamo,
    sqs,
    custodians,
    chains,
  }: Pick<AwsClients, 'dynamo' | 'sqs'> & {
    readonly custodians: Custodians<'listTransfers'>;
    readonly chains: Custodians<'scanTransfers'>;
  },
  clock: Clock,
) {
  const env = environment({ depositsTable: 'DEPOSITS_TABLE', notifiedTransfersQueue: 'NOTIFIED_TRANSFERS_QUEUE' });
  return logEachCall(
    'reconcile-custodian',
    clock,
    reconcileCustodian({
      custodians,
      chains,
      lists: createCustodianLists(dynamo, env.depositsTable),
      deposits: createDepositRepository(dynamo, env.depositsTable, clock),
      dustBelow: assetAmountsSetting('DUST_BELOW'),
      sendPoll: createSendDepositPoll(sqs, env.notifiedTransfersQueue),
      clock,
    }),
    (found) => ({ found }),
  );
}

export const handler = wire(
  {
    dynamo,
    sqs: new SQSClient(awsClientOptions),
    custodians: listingCustodians(systemClock),
    chains: scanningCustodians(systemClock),
  },
  systemClock,
);
