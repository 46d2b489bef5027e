import { randomUUID } from 'node:crypto';
import { createWithdrawal as contract } from '#shared/contracts/create-withdrawal.ts';
import type { Custodian } from '#shared/custodian/custodian.ts';
import { custodianSetting } from '#shared/custodian/custodians.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { createOperation } from '#shared/dynamodb/create-operation.ts';
import { idempotencyRecordsIn } from '#shared/dynamodb/idempotency-records.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { tokensIn } from '#shared/dynamodb/tokens.ts';
import { usersIn, walletsIn } from '#shared/dynamodb/users.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { idempotently } from '#shared/http/idempotency.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { createWithdrawal } from './create-withdrawal.ts';

export function wire(
  { dynamo, custodian }: Pick<AwsClients, 'dynamo'> & { readonly custodian: Pick<Custodian, 'assignDepositAddress'> },
  clock: Clock,
  newId: () => string,
) {
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    events: setting('EVENTS_TABLE'),
  };
  const records = idempotencyRecordsIn(dynamo, setting('IDEMPOTENCY_TABLE'), newId);
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    createWithdrawal({
      createsWithdrawals: setting('CREATES_WITHDRAWALS') === 'true',
      findUser: usersIn(dynamo, setting('USERS_TABLE')),
      findWallet: walletsIn(dynamo, setting('WALLETS_TABLE')),
      findToken: tokensIn(dynamo, setting('PARAMETERS_TABLE')),
      assignDepositAddress: custodian.assignDepositAddress,
      createOperation: (operation) => createOperation(dynamo, tables, operation, newId),
      findOperation: operationsIn(dynamo, tables.operations).find,
      idempotently: idempotently(records, clock, newId),
      clock,
      windowSeconds: Number(setting('WINDOW_SECONDS')),
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, custodian: custodianSetting() }, systemClock, randomUUID);
