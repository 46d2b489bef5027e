import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { transfersInNormalForm } from '#shared/custodian/normal-form.ts';
import { patiently } from '#shared/custodian/patiently.ts';
import { simulatedFindTransfers } from '#shared/custodian/simulated/transactions.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { confirmerOf } from '#shared/dynamodb/confirm-deposit.ts';
import { depositsIn } from '#shared/dynamodb/deposits.ts';
import { claimantOf } from '#shared/dynamodb/hash-claims.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { networkRulesSetting } from '#shared/runtime/network-rules.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { notifiedTransferQueue, parseNotifiedTransfer } from '#shared/sqs/notified-transfers.ts';
import { candidatesIn } from './candidates.ts';
import { matchDeposit } from './match-deposit.ts';

const tables = {
  operations: setting('OPERATIONS_TABLE'),
  hashes: setting('HASHES_TABLE'),
  deposits: setting('DEPOSITS_TABLE'),
  events: setting('EVENTS_TABLE'),
};
const queue = notifiedTransferQueue(new SQSClient(awsClientOptions), setting('NOTIFIED_TRANSFERS_QUEUE'));

const match = matchDeposit({
  deposits: depositsIn(dynamo, tables.deposits),
  findTransfers: patiently(
    transfersInNormalForm(simulatedFindTransfers(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE'))),
    systemClock,
  ),
  candidatesFor: candidatesIn(
    operationsIn(dynamo, tables.operations),
    (txHash) => claimantOf(dynamo, tables.hashes, 'DECLARED', txHash),
    systemClock,
  ),
  confirmDeposit: confirmerOf(dynamo, tables, systemClock, randomUUID),
  lookAgain: queue.send,
  networkRules: networkRulesSetting(),
  clock: systemClock,
});

export const handler = eachMessage('match-deposit', (body) => match(parseNotifiedTransfer(body)));
