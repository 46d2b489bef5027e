import { randomUUID } from 'node:crypto';
import { cancelOperation as contract } from '#shared/contracts/cancel-operation.ts';
import { transfersInNormalForm } from '#shared/custodian/normal-form.ts';
import { patiently } from '#shared/custodian/patiently.ts';
import { simulatedFindTransfers } from '#shared/custodian/simulated/transactions.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { depositsIn } from '#shared/dynamodb/deposits.ts';
import { operationEnder } from '#shared/dynamodb/end-operation.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { cancelOperation } from './cancel-operation.ts';

const tables = {
  operations: setting('OPERATIONS_TABLE'),
  hashes: setting('HASHES_TABLE'),
  deposits: setting('DEPOSITS_TABLE'),
  events: setting('EVENTS_TABLE'),
};
const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  cancelOperation({
    operations: operationsIn(dynamo, tables.operations),
    deposits: depositsIn(dynamo, tables.deposits),
    findTransfers: patiently(
      transfersInNormalForm(simulatedFindTransfers(dynamo, setting('SIMULATED_TRANSACTIONS_TABLE'))),
      systemClock,
    ),
    endOperation: operationEnder(dynamo, tables, systemClock, randomUUID),
    clock: systemClock,
  }),
);
