import { randomUUID } from 'node:crypto';
import { SFNClient } from '@aws-sdk/client-sfn';
import { attemptStarter } from '#shared/dynamodb/begin-attempt.ts';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { dueShards, verificationsIn } from '#shared/dynamodb/verifications.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { restartLostVerifications } from './restart-lost-verifications.ts';

const tables = {
  operations: setting('OPERATIONS_TABLE'),
  hashes: setting('HASHES_TABLE'),
  events: setting('EVENTS_TABLE'),
};

export const handler = restartLostVerifications({
  operations: operationsIn(dynamo, tables.operations),
  verifications: verificationsIn(dynamo, tables.operations),
  shards: dueShards,
  beginAttempt: attemptStarter(dynamo, tables, systemClock, randomUUID),
  startExecution: executionsOf(new SFNClient(awsClientOptions), setting('STATE_MACHINE_ARN')),
  clock: systemClock,
});
