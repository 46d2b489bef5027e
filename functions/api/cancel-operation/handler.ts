import { randomUUID } from 'node:crypto';
import { cancelOperation as contract } from '#shared/contracts/cancel-operation.ts';
import type { Custodian } from '#shared/custodian/custodian.ts';
import { custodianSetting } from '#shared/custodian/custodians.ts';
import { transfersInNormalForm } from '#shared/custodian/normal-form.ts';
import { patiently } from '#shared/custodian/patiently.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { depositsIn } from '#shared/dynamodb/deposits.ts';
import { operationEnder } from '#shared/dynamodb/end-operation.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
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
