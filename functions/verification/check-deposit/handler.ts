import { randomUUID } from 'node:crypto';
import type { Custodian } from '#shared/custodian/custodian.ts';
import { custodianSetting } from '#shared/custodian/custodians.ts';
import { transfersInNormalForm } from '#shared/custodian/normal-form.ts';
import { patiently } from '#shared/custodian/patiently.ts';
import { createFindAddressOwners } from '#shared/dynamodb/assigned-addresses.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { confirmerOf } from '#shared/dynamodb/confirm-deposit.ts';
import { createEndWindow } from '#shared/dynamodb/end-window.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { verificationsIn } from '#shared/dynamodb/verifications.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { networkRulesSetting } from '#shared/runtime/network-rules.ts';
import { checkDeposit } from './check-deposit.ts';

export function wire(
  { dynamo, custodian }: Pick<AwsClients, 'dynamo'> & { readonly custodian: Pick<Custodian, 'findTransfers'> },
  clock: Clock,
  newId: () => string,
) {
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    deposits: setting('DEPOSITS_TABLE'),
    events: setting('EVENTS_TABLE'),
  };
  return eachCall(
    'check-deposit',
    clock,
    checkDeposit({
      operations: operationsIn(dynamo, tables.operations),
      verifications: verificationsIn(dynamo, tables.operations, clock),
      endWindow: createEndWindow(dynamo, tables, clock, newId),
      findTransfers: patiently(transfersInNormalForm(custodian.findTransfers), clock),
      findAddressOwners: createFindAddressOwners(dynamo, tables.hashes),
      confirmDeposit: confirmerOf(dynamo, tables, clock, newId),
      networkRules: networkRulesSetting(),
      clock,
    }),
    ({ operationId, attempt, outcome, reason }) => ({ operationId, attempt, outcome, reason }),
  );
}

export const handler = wire({ dynamo, custodian: custodianSetting() }, systemClock, randomUUID);
