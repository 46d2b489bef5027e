import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createCountCall, createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { createFindUser, createFindWallet } from '#shared/clients/user-repository.ts';
import { network } from '#shared/networks/network.ts';
import { createWithdrawalContract } from '#shared/off-ramps/contract/withdrawal-contract.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { addressingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { insertOperation } from '#shared/off-ramps/transitions/insert-operation.ts';
import { createFindSupportedToken } from '#shared/parameters/parameter-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createIdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { environment } from '#shared/platform/environment.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { createWithdrawal } from './create-withdrawal.ts';

export function wire(
  { dynamo, custodians }: Pick<AwsClients, 'dynamo'> & { readonly custodians: Custodians<'assignDepositAddress'> },
  clock: Clock,
  newId: () => string,
) {
  const env = environment({
    idempotencyTable: 'IDEMPOTENCY_TABLE',
    clientsTable: 'CLIENTS_TABLE',
    acceptedNetworks: 'ACCEPTED_NETWORKS',
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
      acceptedNetworks: z.array(network).parse(JSON.parse(env.acceptedNetworks)),
      findUser: createFindUser(dynamo, env.usersTable),
      findWallet: createFindWallet(dynamo, env.walletsTable),
      findToken: createFindSupportedToken(dynamo, env.parametersTable),
      countCall: createCountCall({
        call: 'offRamps',
        mostPerDay: Number(env.mostPerDay),
        findClient,
        allowances: createDailyAllowances(dynamo, env.allowancesTable, clock),
      }),
      custodians,
      insertOperation: (operation) => insertOperation(dynamo, tables, operation),
      findOperation: createOffRampRepository(dynamo, tables.operations).find,
      runIdempotently: createRunIdempotently(records, clock, newId),
      clock,
      windowSeconds: Number(env.windowSeconds),
      endsAfterHours: Number(env.endsAfterHours),
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo, custodians: addressingCustodians(systemClock) }, systemClock, randomUUID);
