import { randomUUID } from 'node:crypto';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createCountCall, createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { createFindUser, createFindWallet } from '#shared/clients/user-repository.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { custodianSetting } from '#shared/off-ramps/custodians/custodians.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createOperation } from '#shared/off-ramps/transitions/create-operation.ts';
import { createFindSupportedToken } from '#shared/parameters/parameter-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createIdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { idempotently } from '#shared/platform/http/idempotency.ts';
import { createWithdrawal } from './create-withdrawal.ts';

export function wire(
  { dynamo, custodian }: Pick<AwsClients, 'dynamo'> & { readonly custodian: Pick<Custodian, 'assignDepositAddress'> },
  clock: Clock,
  newId: () => string,
) {
  const env = environment({
    idempotencyTable: 'IDEMPOTENCY_TABLE',
    clientsTable: 'CLIENTS_TABLE',
    createsWithdrawals: 'CREATES_WITHDRAWALS',
    usersTable: 'USERS_TABLE',
    walletsTable: 'WALLETS_TABLE',
    parametersTable: 'PARAMETERS_TABLE',
    mostPerDay: 'MOST_PER_DAY',
    allowancesTable: 'ALLOWANCES_TABLE',
    windowSeconds: 'WINDOW_SECONDS',
    endsAfterHours: 'ENDS_AFTER_HOURS',
  });
  const tables = environment({ operations: 'OPERATIONS_TABLE', hashes: 'HASHES_TABLE', events: 'EVENTS_TABLE' });
  const records = createIdempotencyRecords(dynamo, env.idempotencyTable, newId);
  const { clientsTable } = env;
  const findClient = createFindClient(dynamo, clientsTable);
  return approvedEndpoint(
    createWithdrawalContract,
    { dynamo, clientsTable, clock },
    createWithdrawal({
      createsWithdrawals: env.createsWithdrawals === 'true',
      findUser: createFindUser(dynamo, env.usersTable),
      findWallet: createFindWallet(dynamo, env.walletsTable),
      findToken: createFindSupportedToken(dynamo, env.parametersTable),
      countCall: createCountCall({
        call: 'offRamps',
        mostPerDay: Number(env.mostPerDay),
        findClient,
        allowances: createDailyAllowances(dynamo, env.allowancesTable, clock),
      }),
      assignDepositAddress: custodian.assignDepositAddress,
      createOperation: (operation) => createOperation(dynamo, tables, operation),
      findOperation: createOffRampRepository(dynamo, tables.operations).find,
      idempotently: idempotently(records, clock, newId),
      clock,
      windowSeconds: Number(env.windowSeconds),
      endsAfterHours: Number(env.endsAfterHours),
    }),
  );
}

await warmUpApproval({ dynamo, clientsTable: setting('CLIENTS_TABLE') });
export const handler = wire({ dynamo, custodian: custodianSetting() }, systemClock, randomUUID);
