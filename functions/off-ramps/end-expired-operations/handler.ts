import { createListClientIds } from '#shared/clients/client-directory.ts';
import type { Custodians } from '#shared/off-ramps/custodians/custodian.ts';
import { searchingCustodians } from '#shared/off-ramps/custodians/custodians.ts';
import { createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { createDepositRepository } from '#shared/off-ramps/store/deposit-repository.ts';
import { createHashSearches } from '#shared/off-ramps/store/hash-searches.ts';
import { createListExpired } from '#shared/off-ramps/store/off-ramp-lists.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createIsDepositOnItsWay } from '#shared/off-ramps/transitions/deposit-on-its-way.ts';
import { createEndOperation } from '#shared/off-ramps/transitions/end-operation.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { endExpiredOperations } from './end-expired-operations.ts';

export function wire(
  { dynamo, custodians }: Pick<AwsClients, 'dynamo'> & { readonly custodians: Custodians<'findTransfers'> },
  clock: Clock,
) {
  const env = environment({ clientsTable: 'CLIENTS_TABLE', endsAfterHours: 'ENDS_AFTER_HOURS' });
  const tables = environment({
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
  });
  return logEachCall(
    'end-expired-operations',
    clock,
    endExpiredOperations({
      listExpired: createListExpired(dynamo, tables.operations),
      listClientIds: createListClientIds(dynamo, env.clientsTable),
      custodians,
      operations: createOffRampRepository(dynamo, tables.operations),
      isDepositOnItsWay: createIsDepositOnItsWay({
        deposits: createDepositRepository(dynamo, tables.deposits, clock),
        searches: createHashSearches(dynamo, tables.deposits, clock),
        findTransfers: createFindTransfers(custodians, clock),
        clock,
        isCancel: false,
      }),
      endOperation: createEndOperation(dynamo, tables, clock),
      clock,
      endsAfterHours: Number(env.endsAfterHours),
    }),
    (expired) => ({ expired }),
  );
}

export const handler = wire({ dynamo, custodians: searchingCustodians(systemClock) }, systemClock);
