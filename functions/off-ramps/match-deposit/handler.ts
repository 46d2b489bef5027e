import { SQSClient } from '@aws-sdk/client-sqs';
import { networkRulesSetting } from '#shared/networks/network.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { searchingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { createFindTransfer, createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { restoredSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { createFindAddressOwners } from '#shared/off-ramps/store/address-owners.ts';
import { createMovements, findClaimant } from '#shared/off-ramps/store/claims.ts';
import { createCountDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createDepositPolls, createSendDepositPoll, parseDepositPoll } from '#shared/off-ramps/store/deposit-polls.ts';
import { createDepositRepository, createFindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createCreditDeposit } from '#shared/off-ramps/transitions/credit-deposit.ts';
import { assetAmountsSetting, assetDecimalsSetting } from '#shared/parameters/asset-amounts.ts';
import { type AwsClients, awsClientOptions, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { handleEachMessage, sendEmptyBatch } from '#shared/platform/aws/messages.ts';
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
    custodians,
  }: Pick<AwsClients, 'dynamo' | 'sqs'> & {
    readonly custodians: Custodians<'findTransfers' | 'findTransfer'>;
  },
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
    findTransfers: createFindTransfers(custodians, clock),
    networkRules: networkRulesSetting(),
    clock,
    eventsTable: tables.events,
  };
  const pollOne = poll({
    matchDeposit: matchDeposit({
      ...common,
      findTransfer: createFindTransfer(custodians, clock),
      findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
      operations: createOffRampRepository(dynamo, tables.operations),
      countDepositsOf: createCountDepositsOf(dynamo, tables.deposits),
      minimumDeposits: assetAmountsSetting('MINIMUM_DEPOSITS'),
      decimals: assetDecimalsSetting('TOKEN_DECIMALS'),
      fundedBy: (txHash) => findClaimant(dynamo, tables.hashes, 'FUNDED', txHash),
      creditDeposit: createCreditDeposit(dynamo, tables, clock, networkRulesSetting(), restoredSetting().restoredAt),
      movements: createMovements(dynamo, tables.hashes),
      ...restoredSetting(),
    }),
    searchHash: searchHash({ ...common, searches: createHashSearches(dynamo, tables.deposits, clock) }),
  });
  return handleEachMessage('match-deposit', clock, (body) => pollOne(parseDepositPoll(body)));
}

const sqs = new SQSClient(awsClientOptions);
await Promise.all([
  warmUp(createFindDeposit(dynamo, setting('DEPOSITS_TABLE'))(NIL_UUID)),
  warmUp(sendEmptyBatch(sqs, setting('NOTIFIED_TRANSFERS_QUEUE'))),
]);
export const handler = wire(
  {
    dynamo,
    sqs,
    custodians: searchingCustodians(systemClock),
  },
  systemClock,
);
