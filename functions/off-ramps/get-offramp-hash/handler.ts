import { getOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import { findFundingDeposit } from '#shared/off-ramps/store/claims.ts';
import { createFindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { clientEndpoint } from '#shared/platform/http/endpoints.ts';
import { getOfframpHash } from './get-offramp-hash.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({
    operationsTable: 'OPERATIONS_TABLE',
    hashesTable: 'HASHES_TABLE',
    depositsTable: 'DEPOSITS_TABLE',
  });
  return clientEndpoint(
    getOfframpHashContract,
    clock,
    getOfframpHash({
      operations: createOffRampRepository(dynamo, env.operationsTable),
      findFundingDeposit: (txHash) => findFundingDeposit(dynamo, env.hashesTable, txHash),
      findDeposit: createFindDeposit(dynamo, env.depositsTable),
    }),
  );
}

await warmUp(createOffRampRepository(dynamo, setting('OPERATIONS_TABLE')).findWithVerification(NIL_UUID));
export const handler = wire({ dynamo }, systemClock);
