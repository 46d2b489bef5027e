import { SQSClient } from '@aws-sdk/client-sqs';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { custodianSetting } from '#shared/off-ramps/custodians/custodians.ts';
import { createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { networkRulesSetting } from '#shared/off-ramps/model/network-rules.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/assigned-addresses.ts';
import { createCountDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositPolls, createSendDepositPoll, parseDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { claimantOf } from '#shared/off-ramps/store/hash-claims.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createConfirmDeposit } from '#shared/off-ramps/transitions/confirm-deposit.ts';
import { assetAmountsSetting, assetDecimalsSetting } from '#shared/parameters/asset-amounts.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { eachMessage } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { matchDeposit } from './match-deposit.ts';
import { poll } from './poll.ts';
import { searchHash } from './search-hash.ts';

export function wire(
  {
    dynamo,
    sqs,
    custodian,
  }: Pick<AwsClients, 'dynamo' | 'sqs'> & { readonly custodian: Pick<Custodian, 'name' | 'findTransfers'> },
  clock: Clock,
) {
  const tables = environment({
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
  });
  const common = {
    deposits: createDepositRepository(dynamo, tables.deposits, clock),
    polls: createDepositPolls(dynamo, tables.deposits, clock),
    sendPoll: createSendDepositPoll(sqs, setting('NOTIFIED_TRANSFERS_QUEUE')),
    findTransfers: createFindTransfers(custodian, clock),
    networkRules: networkRulesSetting(),
    clock,
    outbox: { table: tables.events },
  };
  const pollOne = poll({
    matchDeposit: matchDeposit({
      ...common,
      findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
      operations: createOffRampRepository(dynamo, tables.operations),
      countDepositsOf: createCountDepositsOf(dynamo, tables.deposits),
      minimumDeposits: assetAmountsSetting('MINIMUM_DEPOSITS'),
      decimals: assetDecimalsSetting('TOKEN_DECIMALS'),
      fundedBy: (txHash) => claimantOf(dynamo, tables.hashes, 'FUNDED', txHash),
      confirmDeposit: createConfirmDeposit(dynamo, tables, clock),
    }),
    searchHash: searchHash({ ...common, searches: createHashSearches(dynamo, tables.deposits, clock) }),
  });
  return eachMessage('match-deposit', clock, (body) => pollOne(parseDepositPoll(body)));
}

export const handler = wire(
  {
    dynamo,
    sqs: new SQSClient(awsClientOptions),
    custodian: custodianSetting(),
  },
  systemClock,
);
