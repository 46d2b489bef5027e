import { SFNClient } from '@aws-sdk/client-sfn';
import { approvedEndpoint, warmUpApproval } from '#shared/clients/approved-endpoint.ts';
import { createFindClient } from '#shared/clients/client-repository.ts';
import { createCountCall, createDailyAllowances } from '#shared/clients/daily-allowances.ts';
import { submitOfframpHashContract } from '#shared/off-ramps/contract/off-ramp-hash-contract.ts';
import { createHashSearches, createLateReports, createRefusedReports } from '#shared/off-ramps/store/hash-searches.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createVerificationRepository } from '#shared/off-ramps/store/verification-repository.ts';
import { createBeginAttempt } from '#shared/off-ramps/transitions/begin-attempt.ts';
import { createRestartOverdue, createStartExecution } from '#shared/off-ramps/transitions/verification-executions.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { setting } from '#shared/platform/environment.ts';
import { submitOfframpHash } from './submit-offramp-hash.ts';

export function wire({ dynamo, stepFunctions }: Pick<AwsClients, 'dynamo' | 'stepFunctions'>, clock: Clock) {
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    events: setting('EVENTS_TABLE'),
  };
  const deposits = setting('DEPOSITS_TABLE');
  const verifications = createVerificationRepository(dynamo, tables.operations, clock);
  const startExecution = createStartExecution(stepFunctions, setting('STATE_MACHINE_ARN'));
  const clientsTable = setting('CLIENTS_TABLE');
  const findClient = createFindClient(dynamo, clientsTable);
  return approvedEndpoint(
    submitOfframpHashContract,
    { dynamo, clientsTable, clock },
    submitOfframpHash({
      operations: createOffRampRepository(dynamo, tables.operations),
      countCall: createCountCall({
        call: 'reports',
        mostPerDay: Number(setting('MOST_PER_DAY')),
        findClient,
        allowances: createDailyAllowances(dynamo, setting('ALLOWANCES_TABLE'), clock),
      }),
      beginAttempt: createBeginAttempt(dynamo, tables, clock),
      hashSearches: createHashSearches(dynamo, deposits, clock),
      lateReports: createLateReports(dynamo, deposits, clock),
      refusedReports: createRefusedReports(dynamo, deposits, clock),
      startExecution,
      restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
      clock,
      lateWindowSeconds: Number(setting('LATE_WINDOW_SECONDS')),
    }),
  );
}

await warmUpApproval({ dynamo, clientsTable: setting('CLIENTS_TABLE') });
export const handler = wire({ dynamo, stepFunctions: new SFNClient(awsClientOptions) }, systemClock);
