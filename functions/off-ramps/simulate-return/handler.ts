import { approvedEndpoint } from '#shared/clients/approved-endpoint.ts';
import { simulateReturnContract } from '#shared/off-ramps/contract/off-ramp-sandbox-contract.ts';
import { simulatedOutcomes } from '#shared/off-ramps/custodians/simulated/outcomes.ts';
import { createFindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { simulateReturn } from './simulate-return.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const env = environment({
    clientsTable: 'CLIENTS_TABLE',
    depositsTable: 'DEPOSITS_TABLE',
    simulatedTransactionsTable: 'SIMULATED_TRANSACTIONS_TABLE',
  });
  return approvedEndpoint(
    simulateReturnContract,
    { dynamo, clientsTable: env.clientsTable, clock },
    simulateReturn({
      outcomes: simulatedOutcomes(dynamo, env.simulatedTransactionsTable),
      findDeposit: createFindDeposit(dynamo, env.depositsTable),
    }),
  );
}

export const handler = wire({ dynamo }, systemClock);
