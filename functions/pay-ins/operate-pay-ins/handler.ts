import { randomUUID } from 'node:crypto';
import { createFindPayin } from '#shared/pay-ins/pay-in-repository.ts';
import { type AwsClients, NIL_UUID, warmUp } from '#shared/platform/aws/aws-clients.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment, setting } from '#shared/platform/environment.ts';
import { twoPersonsAbove } from '#shared/platform/operators/proposals.ts';
import { operatePayins } from './operate-pay-ins.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock, newId: () => string) {
  const tables = environment({
    audit: 'AUDIT_TABLE',
    payins: 'PAYINS_TABLE',
    events: 'EVENTS_TABLE',
    proposals: 'PROPOSALS_TABLE',
  });
  const limits = twoPersonsAbove.parse(JSON.parse(setting('TWO_PERSONS_ABOVE')));
  return operatePayins({ dynamo, tables, clock, newId, twoPersonsAbove: limits });
}

await warmUp(createFindPayin(dynamo, setting('PAYINS_TABLE'))(NIL_UUID));
export const handler = wire({ dynamo }, systemClock, randomUUID);
