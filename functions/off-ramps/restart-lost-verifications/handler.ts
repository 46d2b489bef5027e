import { SFNClient } from '@aws-sdk/client-sfn';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import { createOffRampStore } from '#shared/off-ramps/off-ramp-store.ts';
import { createRestartOverdue, createStartExecution } from '#shared/off-ramps/verification-executions.ts';
import { createVerificationStore } from '#shared/off-ramps/verification-store.ts';
import { awsClientOptions } from '#shared/platform/aws/aws-client-options.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { eachCall } from '#shared/platform/each-call.ts';
import { setting } from '#shared/platform/environment.ts';
import { restartLostVerifications } from './restart-lost-verifications.ts';

export function wire({ dynamo, stepFunctions }: Pick<AwsClients, 'dynamo' | 'stepFunctions'>, clock: Clock) {
  const table = setting('OPERATIONS_TABLE');
  const verifications = createVerificationStore(dynamo, table, clock);
  const startExecution = createStartExecution(stepFunctions, setting('STATE_MACHINE_ARN'));
  return eachCall(
    'restart-lost-verifications',
    clock,
    restartLostVerifications({
      operations: createOffRampStore(dynamo, table),
      verifications,
      listClientIds: createListClientIds(dynamo, setting('CLIENTS_TABLE')),
      restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire({ dynamo, stepFunctions: new SFNClient(awsClientOptions) }, systemClock);
