import { SFNClient } from '@aws-sdk/client-sfn';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createCountCall, createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { submitOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import {
  createFurtherReports,
  createHashSearches,
  createRefusedReports,
} from '#shared/off-ramps/store/hash-searches.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createVerificationRepository } from '#shared/off-ramps/store/verification-repository.ts';
import { createBeginAttempt } from '#shared/off-ramps/transitions/begin-attempt.ts';
import { createRestartOverdue, createStartExecution } from '#shared/off-ramps/transitions/verification-executions.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { submitOfframpHash } from './submit-offramp-hash.ts';

export function wire({ dynamo, stepFunctions }: Pick<AwsClients, 'dynamo' | 'stepFunctions'>, clock: Clock) {
  const tables = environment({
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
    clients: 'CLIENTS_TABLE',
    allowances: 'ALLOWANCES_TABLE',
  });
  const env = environment({
    stateMachineArn: 'STATE_MACHINE_ARN',
    mostPerDay: 'MOST_PER_DAY',
    lateWindowSeconds: 'LATE_WINDOW_SECONDS',
  });
  const verifications = createVerificationRepository(dynamo, tables.operations, clock);
  const startExecution = createStartExecution(stepFunctions, env.stateMachineArn);
  return approvedEndpoint(
    submitOfframpHashContract,
    { dynamo, clientsTable: tables.clients, clock },
    submitOfframpHash({
      operations: createOffRampRepository(dynamo, tables.operations),
      countCall: createCountCall({
        call: 'reports',
        mostPerDay: Number(env.mostPerDay),
        findClient: createFindClient(dynamo, tables.clients),
        allowances: createDailyAllowances(dynamo, tables.allowances, clock),
      }),
      beginAttempt: createBeginAttempt(dynamo, tables, clock),
      hashSearches: createHashSearches(dynamo, tables.deposits, clock),
      furtherReports: createFurtherReports(dynamo, tables.deposits, clock),
      refusedReports: createRefusedReports(dynamo, tables.deposits, clock),
      startExecution,
      restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
      clock,
      lateWindowSeconds: Number(env.lateWindowSeconds),
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo, stepFunctions: new SFNClient(awsClientOptions) }, systemClock);
