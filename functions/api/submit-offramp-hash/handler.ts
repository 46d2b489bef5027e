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
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { NOBODY, primed } from '#shared/runtime/primed.ts';
import { createRestartOverdue } from '#shared/step-functions/overdue-verifications.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { submitOfframpHash } from './submit-offramp-hash.ts';

const tables = {
  operations: setting('OPERATIONS_TABLE'),
  hashes: setting('HASHES_TABLE'),
  events: setting('EVENTS_TABLE'),
};
const verifications = verificationsIn(dynamo, tables.operations);
const startExecution = executionsOf(new SFNClient(awsClientOptions), setting('STATE_MACHINE_ARN'));
const findClient = clientsIn(dynamo, setting('CLIENTS_TABLE'));
await primed(findClient(NOBODY));

export const handler = approvedEndpoint(
  contract,
  findClient,
  submitOfframpHash({
    operations: operationsIn(dynamo, tables.operations),
    beginAttempt: attemptStarter(dynamo, tables, systemClock, randomUUID),
    hashSearches: createHashSearches(dynamo, setting('DEPOSITS_TABLE')),
    startExecution,
    restartOverdue: createRestartOverdue({ verifications, startExecution, clock: systemClock }),
    clock: systemClock,
    lateWindowSeconds: Number(setting('LATE_WINDOW_SECONDS')),
  }),
);
