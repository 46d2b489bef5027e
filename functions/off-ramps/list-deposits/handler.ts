import { listDepositsContract } from '#shared/off-ramps/contract/deposit-contract.ts';
import { returnsSetting } from '#shared/off-ramps/custodians/returns-setting.ts';
import { createListDepositsOf } from '#shared/off-ramps/store/deposit-lists.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { assetAmountsSetting } from '#shared/parameters/asset-amounts.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { listDeposits } from './list-deposits.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({ operationsTable: 'OPERATIONS_TABLE', depositsTable: 'DEPOSITS_TABLE' });
  return clientEndpoint(
    listDepositsContract,
    clock,
    listDeposits({
      operations: createOffRampRepository(dynamo, env.operationsTable),
      listDepositsOf: createListDepositsOf(dynamo, env.depositsTable, clock),
      terms: { routes: returnsSetting(), fees: assetAmountsSetting('RETURN_FEES') },
    }),
  );
}

await warmUp(createOffRampRepository(dynamo, setting('OPERATIONS_TABLE')).findWithVerification(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
