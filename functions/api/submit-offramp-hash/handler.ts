import { randomUUID } from 'node:crypto';
import { SFNClient } from '@aws-sdk/client-sfn';
import { submitOfframpHash as contract } from '#shared/contracts/offramp-hash.ts';
import { attemptStarter } from '#shared/dynamodb/begin-attempt.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientsIn } from '#shared/dynamodb/clients.ts';
import { createHashSearches } from '#shared/dynamodb/hash-searches.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { verificationsIn } from '#shared/dynamodb/verifications.ts';
import { approvedEndpoint } from '#shared/http/approved-endpoint.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { createRestartOverdue } from '#shared/step-functions/overdue-verifications.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { submitOfframpHash } from './submit-offramp-hash.ts';

export function wire(
  { dynamo, stepFunctions }: Pick<AwsClients, 'dynamo' | 'stepFunctions'>,
  clock: Clock,
  newId: () => string,
) {
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    events: setting('EVENTS_TABLE'),
  };
  const verifications = verificationsIn(dynamo, tables.operations, clock);
  const startExecution = executionsOf(stepFunctions, setting('STATE_MACHINE_ARN'));
  return approvedEndpoint(
    contract,
    clock,
    clientsIn(dynamo, setting('CLIENTS_TABLE')),
    submitOfframpHash({
      operations: operationsIn(dynamo, tables.operations),
      beginAttempt: attemptStarter(dynamo, tables, clock, newId),
      hashSearches: createHashSearches(dynamo, setting('DEPOSITS_TABLE'), clock),
      startExecution,
      restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
      clock,
      lateWindowSeconds: Number(setting('LATE_WINDOW_SECONDS')),
    }),
  );
}

await primed(clientsIn(dynamo, setting('CLIENTS_TABLE'))(NOBODY));
export const handler = wire({ dynamo, stepFunctions: new SFNClient(awsClientOptions) }, systemClock, randomUUID);
