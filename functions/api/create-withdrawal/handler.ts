import { randomUUID } from 'node:crypto';
import { createWithdrawal as contract } from '#shared/contracts/create-withdrawal.ts';
import { simulatedDepositAddress } from '#shared/custodian/simulated/deposit-addresses.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { createOperation } from '#shared/dynamodb/create-operation.ts';
import { idempotencyRecordsIn } from '#shared/dynamodb/idempotency-records.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { tokensIn } from '#shared/dynamodb/tokens.ts';
import { usersIn, walletsIn } from '#shared/dynamodb/users.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { idempotently } from '#shared/http/idempotency.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { createWithdrawal } from './create-withdrawal.ts';

const tables = {
  operations: setting('OPERATIONS_TABLE'),
  hashes: setting('HASHES_TABLE'),
  events: setting('EVENTS_TABLE'),
};
const records = idempotencyRecordsIn(dynamo, setting('IDEMPOTENCY_TABLE'), randomUUID);
const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  createWithdrawal({
    createsWithdrawals: setting('CREATES_WITHDRAWALS') === 'true',
    findUser: usersIn(dynamo, setting('USERS_TABLE')),
    findWallet: walletsIn(dynamo, setting('WALLETS_TABLE')),
    findToken: tokensIn(dynamo, setting('PARAMETERS_TABLE')),
    assignDepositAddress: simulatedDepositAddress,
    createOperation: (operation) => createOperation(dynamo, tables, operation, randomUUID),
    findOperation: operationsIn(dynamo, tables.operations).find,
    idempotently: idempotently(records, systemClock, randomUUID),
    clock: systemClock,
    windowSeconds: Number(setting('WINDOW_SECONDS')),
  }),
);
