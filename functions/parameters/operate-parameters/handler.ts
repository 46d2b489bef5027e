import { randomUUID } from 'node:crypto';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { operateParameters } from './operate-parameters.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock, newId: () => string) {
  const tables = environment({ audit: 'AUDIT_TABLE', parameters: 'PARAMETERS_TABLE' });
  return operateParameters({ dynamo, tables, clock, newId });
}

export const handler = wire({ dynamo }, systemClock, randomUUID);
