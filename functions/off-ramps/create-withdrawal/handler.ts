import { randomUUID } from 'node:crypto';
import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { clientsIn } from '#shared/clients/client-store.ts';
import { usersIn, walletsIn } from '#shared/clients/user-store.ts';
import { createOperation } from '#shared/off-ramps/create-operation.ts';
import { createWithdrawal as contract } from '#shared/off-ramps/create-withdrawal-contract.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { custodianSetting } from '#shared/off-ramps/custodians/custodians.ts';
import { operationsIn } from '#shared/off-ramps/operation-store.ts';
import { tokensIn } from '#shared/parameters/tokens.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { idempotencyRecordsIn } from '#shared/platform/dynamodb/idempotency-records.ts';
import { setting } from '#shared/platform/environment.ts';
import { idempotently } from '#shared/platform/http/idempotency.ts';
import { NOBODY, primed } from '#shared/platform/warm-up.ts';
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
