import { SFNClient } from '@aws-sdk/client-sfn';
import { createListClientIds } from '#shared/clients/client-directory.ts';
import { createOffRampRepository } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { createVerificationRepository } from '#shared/off-ramps/store/verification-repository.ts';
import { createRestartOverdue, createStartExecution } from '#shared/off-ramps/transitions/verification-executions.ts';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { logEachCall } from '#shared/platform/logger.ts';
import { restartLostVerifications } from './restart-lost-verifications.ts';

export function wire({ dynamo, stepFunctions }: Pick<AwsClients, 'dynamo' | 'stepFunctions'>, clock: Clock) {
  const env = environment({
    operationsTable: 'OPERATIONS_TABLE',
    stateMachineArn: 'STATE_MACHINE_ARN',
    clientsTable: 'CLIENTS_TABLE',
  });
  const verifications = createVerificationRepository(dynamo, env.operationsTable, clock);
  const startExecution = createStartExecution(stepFunctions, env.stateMachineArn);
  return logEachCall(
    'restart-lost-verifications',
    clock,
    restartLostVerifications({
      operations: createOffRampRepository(dynamo, env.operationsTable),
      verifications,
      listClientIds: createListClientIds(dynamo, env.clientsTable),
      restartOverdue: createRestartOverdue({ verifications, startExecution, clock }),
      clock,
    }),
    (due) => ({ due }),
  );
}

export const handler = wire({ dynamo, stepFunctions: new SFNClient(awsClientOptions) }, systemClock);
