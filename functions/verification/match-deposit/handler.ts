import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Custodian } from '#shared/custodian/custodian.ts';
import { custodianSetting } from '#shared/custodian/custodians.ts';
import { transfersInNormalForm } from '#shared/custodian/normal-form.ts';
import { patiently } from '#shared/custodian/patiently.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { confirmerOf } from '#shared/dynamodb/confirm-deposit.ts';
import { createDepositPolls } from '#shared/dynamodb/deposit-polls.ts';
import { depositsIn } from '#shared/dynamodb/deposits.ts';
import { claimantOf } from '#shared/dynamodb/hash-claims.ts';
import { createHashSearches } from '#shared/dynamodb/hash-searches.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { networkRulesSetting } from '#shared/runtime/network-rules.ts';
import { createSendDepositPoll, parseDepositPoll } from '#shared/sqs/deposit-polls.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { candidatesIn } from './candidates.ts';
import { matchDeposit } from './match-deposit.ts';
import { poll } from './poll.ts';
import { searchHash } from './search-hash.ts';

export function wire(
  {
    dynamo,
    sqs,
    custodian,
  }: Pick<AwsClients, 'dynamo' | 'sqs'> & { readonly custodian: Pick<Custodian, 'findTransfers'> },
  clock: Clock,
  newId: () => string,
) {
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    deposits: setting('DEPOSITS_TABLE'),
    events: setting('EVENTS_TABLE'),
  };
  const common = {
    deposits: depositsIn(dynamo, tables.deposits, clock),
    polls: createDepositPolls(dynamo, tables.deposits, clock),
    sendPoll: createSendDepositPoll(sqs, setting('NOTIFIED_TRANSFERS_QUEUE')),
    findTransfers: patiently(transfersInNormalForm(custodian.findTransfers), clock),
    networkRules: networkRulesSetting(),
    clock,
  };
  const pollOne = poll({
    matchDeposit: matchDeposit({
      ...common,
      candidatesFor: candidatesIn(
        operationsIn(dynamo, tables.operations),
        (txHash) => claimantOf(dynamo, tables.hashes, 'DECLARED', txHash),
        clock,
      ),
      confirmDeposit: confirmerOf(dynamo, tables, clock, newId),
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
  randomUUID,
);
