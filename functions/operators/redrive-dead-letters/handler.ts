import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { type AwsClients, awsClientOptions } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { createMoveDeadLetters } from './move-dead-letters.ts';
import { redriveDeadLetters } from './redrive-dead-letters.ts';

export function wire({ dynamo, sqs }: Pick<AwsClients, 'dynamo' | 'sqs'>, clock: Clock, newId: () => string) {
  const tables = environment({ audit: 'AUDIT_TABLE' });
  const moveDeadLetters = createMoveDeadLetters(sqs, setting('WORK_QUEUES'));
  return redriveDeadLetters({ dynamo, tables, moveDeadLetters, clock, newId });
}

export const handler = wire({ dynamo, sqs: new SQSClient(awsClientOptions) }, systemClock, randomUUID);
