import { createClientApprovals } from '#shared/clients/client-repository.ts';
import type { AwsClients } from '#shared/platform/aws/aws-clients.ts';
import { handleEachMessage } from '#shared/platform/aws/messages.ts';
import { type Clock, systemClock } from '#shared/platform/clock.ts';
import { dynamo } from '#shared/platform/dynamodb/client.ts';
import { environment } from '#shared/platform/environment.ts';
import { applyClientStatus } from './apply-client-status.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock) {
  const tables = environment({ clients: 'CLIENTS_TABLE', events: 'EVENTS_TABLE' });
  const apply = applyClientStatus({ approvals: createClientApprovals(dynamo, tables, clock), clock });
  return handleEachMessage('apply-client-status', clock, (body, _, arrival) => apply(body, arrival));
}

export const handler = wire({ dynamo }, systemClock);
