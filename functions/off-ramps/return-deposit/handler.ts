import { randomUUID } from 'node:crypto';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { returnDepositContract } from '#shared/off-ramps/contract/return-contract.ts';
import { returnsSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { createFindDepositOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createReturns } from '#shared/off-ramps/transitions/return-deposit.ts';
import { assetAmountsSetting } from '#shared/parameters/asset-amounts.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { createIdempotencyRecords } from '#shared/platform/dynamodb/idempotency-records.ts';
import { environment } from '#shared/platform/environment.ts';
import { createRunIdempotently } from '#shared/platform/http/idempotency.ts';
import { returnDeposit } from './return-deposit.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock, newId: () => string) {
  const env = environment({ clientsTable: 'CLIENTS_TABLE', idempotencyTable: 'IDEMPOTENCY_TABLE' });
  const tables = environment({
    operations: 'OPERATIONS_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
  });
  return approvedEndpoint(
    returnDepositContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    returnDeposit({
      operations: createOffRampRepository(dynamo, tables.operations),
      findDepositOf: createFindDepositOf(dynamo, tables.deposits),
      // A request claims no movement: that is of its sending.
      returns: createReturns(dynamo, { ...tables, hashes: '' }, clock),
      terms: { routes: returnsSetting(), fees: assetAmountsSetting('RETURN_FEES') },
      onePersonUpTo: assetAmountsSetting('ONE_PERSON_UP_TO'),
      runIdempotently: createRunIdempotently(
        createIdempotencyRecords(dynamo, env.idempotencyTable, newId),
        clock,
        newId,
      ),
      clock,
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo }, systemClock, randomUUID);
