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
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { submitOfframpHash } from './submit-offramp-hash.ts';

export function wire({ dynamo, stepFunctions }: Pick<AwsClients, 'dynamo' | 'stepFunctions'>, clock: Clock) {
  const env = environment({
    depositsTable: 'DEPOSITS_TABLE',
    stateMachineArn: 'STATE_MACHINE_ARN',
    clientsTable: 'CLIENTS_TABLE',
    mostPerDay: 'MOST_PER_DAY',
    allowancesTable: 'ALLOWANCES_TABLE',
    lateWindowSeconds: 'LATE_WINDOW_SECONDS',
  });
  const tables = environment({ operations: 'OPERATIONS_TABLE', hashes: 'HASHES_TABLE', events: 'EVENTS_TABLE' });
  const verifications = createVerificationRepository(dynamo, tables.operations, clock);
  const startExecution = createStartExecution(stepFunctions, env.stateMachineArn);
  const { clientsTable } = env;
  const findClient = createFindClient(dynamo, clientsTable);
  return approvedEndpoint(
    submitOfframpHashContract,
    { dynamo, clientsTable, clock },
    submitOfframpHash({
      operations: createOffRampRepository(dynamo, tables.operations),
      countCall: createCountCall({
        call: 'reports',
        mostPerDay: Number(env.mostPerDay),
        findClient,
        allowances: createDailyAllowances(dynamo, env.allowancesTable, clock),
      }),
      beginAttempt: createBeginAttempt(dynamo, tables, clock),
      hashSearches: createHashSearches(dynamo, env.depositsTable, clock),
      furtherReports: createFurtherReports(dynamo, env.depositsTable, clock),
      refusedReports: createRefusedReports(dynamo, env.depositsTable, clock),
      startExecution,
      restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
      clock,
      lateWindowSeconds: Number(env.lateWindowSeconds),
    }),
  );
}

await warmUpApproval();
export const handler = wire({ dynamo, stepFunctions: new SFNClient(awsClientOptions) }, systemClock);
