import { randomUUID } from 'node:crypto';
import { transfersInNormalForm } from '#shared/custodian/normal-form.ts';
import { patiently } from '#shared/custodian/patiently.ts';
import { simulatedFindTransfers } from '#shared/custodian/simulated/transactions.ts';
import { createFindAddressOwners } from '#shared/dynamodb/assigned-addresses.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { confirmerOf } from '#shared/dynamodb/confirm-deposit.ts';
import { createEndWindow } from '#shared/dynamodb/end-window.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { verificationsIn } from '#shared/dynamodb/verifications.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { networkRulesSetting } from '#shared/runtime/network-rules.ts';
import { checkDeposit } from './check-deposit.ts';

const tables = {
  operations: setting('OPERATIONS_TABLE'),
  hashes: setting('HASHES_TABLE'),
  deposits: setting('DEPOSITS_TABLE'),
  events: setting('EVENTS_TABLE'),
};

export const handler = eachCall(
  'check-deposit',
  checkDeposit({
    operations: operationsIn(dynamo, tables.operations),
    verifications: verificationsIn(dynamo, tables.operations),
    endWindow: createEndWindow(dynamo, tables, systemClock, randomUUID),
    findTransfers: patiently(
      transfersInNormalForm(simulatedFindTransfers(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE'))),
      systemClock,
    ),
    findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
    confirmDeposit: confirmerOf(dynamo, tables, systemClock, randomUUID),
    networkRules: networkRulesSetting(),
    clock: systemClock,
  }),
  ({ operationId, attempt, outcome, reason }) => ({ operationId, attempt, outcome, reason }),
);
