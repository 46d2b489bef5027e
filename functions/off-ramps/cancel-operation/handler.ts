import { randomUUID } from 'node:crypto';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { clientsIn } from '#shared/clients/client-store.ts';
import { cancelOperation as contract } from '#shared/off-ramps/cancel-operation-contract.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { custodianSetting } from '#shared/off-ramps/custodians/custodians.ts';
import { transfersInNormalForm } from '#shared/off-ramps/custodians/normal-form.ts';
import { patiently } from '#shared/off-ramps/custodians/patiently.ts';
import { depositsIn } from '#shared/off-ramps/deposit-store.ts';
import { operationEnder } from '#shared/off-ramps/end-operation.ts';
import { operationsIn } from '#shared/off-ramps/operation-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
import { cancelOperation } from './cancel-operation.ts';

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
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    cancelOperation({
      operations: operationsIn(dynamo, tables.operations),
      deposits: depositsIn(dynamo, tables.deposits, clock),
      findTransfers: patiently(transfersInNormalForm(custodian.findTransfers), clock),
      endOperation: operationEnder(dynamo, tables, clock, newId),
      clock,
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, custodian: custodianSetting() }, systemClock, randomUUID);
