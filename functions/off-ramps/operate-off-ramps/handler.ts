import { randomUUID } from 'node:crypto';
import { createFindDeposit } from '#shared/off-ramps/store/deposit-repository.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { operateOffRamps } from './operate-off-ramps.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock, newId: () => string) {
  const tables = environment({
    audit: 'AUDIT_TABLE',
    clients: 'CLIENTS_TABLE',
    operations: 'OPERATIONS_TABLE',
    hashes: 'HASHES_TABLE',
    deposits: 'DEPOSITS_TABLE',
    events: 'EVENTS_TABLE',
    proposals: 'PROPOSALS_TABLE',
  });
  return operateOffRamps({ dynamo, tables, clock, newId });
}

await warmUp(createFindDeposit(dynamo, setting('DEPOSITS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock, randomUUID);
