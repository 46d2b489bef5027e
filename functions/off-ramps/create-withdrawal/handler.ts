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
import { setting } from '#shared/platform/environment.ts';
import { idempotently } from '#shared/platform/http/idempotency.ts';
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
  const records = createIdempotencyRecords(dynamo, setting('IDEMPOTENCY_TABLE'), newId);
  const clientsTable = setting('CLIENTS_TABLE');
  const findClient = createFindClient(dynamo, clientsTable);
  return approvedEndpoint(
    createWithdrawalContract,
    { dynamo, clientsTable, clock },
    createWithdrawal({
      createsWithdrawals: setting('CREATES_WITHDRAWALS') === 'true',
      findUser: createFindUser(dynamo, setting('USERS_TABLE')),
      findWallet: createFindWallet(dynamo, setting('WALLETS_TABLE')),
      findToken: createFindSupportedToken(dynamo, setting('PARAMETERS_TABLE')),
      countCall: createCountCall({
        call: 'offRamps',
        mostPerDay: Number(setting('MOST_PER_DAY')),
        findClient,
        allowances: createDailyAllowances(dynamo, setting('ALLOWANCES_TABLE'), clock),
      }),
      assignDepositAddress: custodian.assignDepositAddress,
      createOperation: (operation) => createOperation(dynamo, tables, operation),
      findOperation: createOffRampRepository(dynamo, tables.operations).find,
      idempotently: idempotently(records, clock, newId),
      clock,
      windowSeconds: Number(setting('WINDOW_SECONDS')),
      endsAfterHours: Number(setting('ENDS_AFTER_HOURS')),
    }),
  );
}

await warmUpApproval({ dynamo, clientsTable: setting('CLIENTS_TABLE') });
export const handler = wire({ dynamo, custodian: custodianSetting() }, systemClock, randomUUID);
