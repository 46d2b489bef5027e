import { SFNClient } from '@aws-sdk/client-sfn';
import { dynamo } from '#shared/dynamodb/client.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import { dueShards, verificationsIn } from '#shared/dynamodb/verifications.ts';
import { awsClientOptions } from '#shared/runtime/aws-client-options.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { eachCall } from '#shared/runtime/each-call.ts';
import { setting } from '#shared/runtime/environment.ts';
import { createRestartOverdue } from '#shared/step-functions/overdue-verifications.ts';
import { executionsOf } from '#shared/step-functions/verification-executions.ts';
import { restartLostVerifications } from './restart-lost-verifications.ts';

export function wire({ dynamo, stepFunctions }: Pick<AwsClients, 'dynamo' | 'stepFunctions'>, clock: Clock) {
  const table = setting('OPERATIONS_TABLE');
  const verifications = verificationsIn(dynamo, table, clock);
  const startExecution = executionsOf(stepFunctions, setting('STATE_MACHINE_ARN'));
  return eachCall(
    'restart-lost-verifications',
    clock,
    restartLostVerifications({
      operations: operationsIn(dynamo, table),
      verifications,
      shards: dueShards,
      restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire({ dynamo, stepFunctions: new SFNClient(awsClientOptions) }, systemClock);
