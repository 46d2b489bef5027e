import { SFNClient } from '@aws-sdk/client-sfn';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { dueShards, verificationsIn } from '#shared/dynamodb/verifications.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import { systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { createRestartOverdue } from '#shared/step-functions/overdue-verifications.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { restartLostVerifications } from './restart-lost-verifications.ts';

const table = setting('OPERATIONS_TABLE');
const verifications = verificationsIn(dynamo, table);
const startExecution = executionsOf(new SFNClient(awsClientOptions), setting('STATE_MACHINE_ARN'));

export const handler = eachCall(
  'restart-lost-verifications',
  restartLostVerifications({
    operations: operationsIn(dynamo, table),
    verifications,
    shards: dueShards,
    restartOverdue: createRestartOverdue({ verifications, startExecution, clock: systemClock }),
    clock: systemClock,
  }),
  (due) => ({ due }),
);
