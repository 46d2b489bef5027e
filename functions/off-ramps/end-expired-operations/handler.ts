import { randomUUID } from 'node:crypto';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import { createListExpired } from '#shared/off-ramps/awaiting-operations.ts';
import type { Custodian } from '#shared/off-ramps/custodians/custodian.ts';
import { custodianSetting } from '#shared/off-ramps/custodians/custodians.ts';
import { createFindTransfers } from '#shared/off-ramps/custodians/find-transfers.ts';
import { createIsDepositOnItsWay } from '#shared/off-ramps/deposit-on-its-way.ts';
import { createDepositStore } from '#shared/off-ramps/deposit-store.ts';
import { createEndOperation } from '#shared/off-ramps/end-operation.ts';
import { createHashSearches } from '#shared/off-ramps/hash-searches.ts';
import { createOffRampStore } from '#shared/off-ramps/off-ramp-store.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { eachCall } from '#shared/platform/each-call.ts';
import { setting } from '#shared/platform/environment.ts';
import { endExpiredOperations } from './end-expired-operations.ts';

export function wire(
  { dynamo, custodian }: Pick<AwsClients, 'dynamo'> & { readonly custodian: Pick<Custodian, 'name' | 'findTransfers'> },
  clock: Clock,
  newId: () => string,
) {
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    deposits: setting('DEPOSITS_TABLE'),
    events: setting('EVENTS_TABLE'),
  };
  return eachCall(
    'end-expired-operations',
    clock,
    endExpiredOperations({
      listExpired: createListExpired(dynamo, tables.operations),
      listClientIds: createListClientIds(dynamo, setting('CLIENTS_TABLE')),
      operations: createOffRampStore(dynamo, tables.operations),
      isDepositOnItsWay: createIsDepositOnItsWay({
        deposits: createDepositStore(dynamo, tables.deposits, clock),
        searches: createHashSearches(dynamo, tables.deposits, clock),
        findTransfers: createFindTransfers(custodian, clock),
        clock,
      }),
      endOperation: createEndOperation(dynamo, tables, clock, newId),
      clock,
      endsAfterHours: Number(setting('ENDS_AFTER_HOURS')),
    }),
    (expired) => ({ expired }),
  );
}

export const handler = wire({ dynamo, custodian: custodianSetting() }, systemClock, randomUUID);
