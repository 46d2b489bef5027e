import { randomUUID } from 'node:crypto';
import { dynamo } from '#shared/dynamodb/client.ts';
import { clientApprovalsIn } from '#shared/dynamodb/client-approvals.ts';
import { operationEnder } from '#shared/dynamodb/end-operation.ts';
import { operationsIn } from '#shared/dynamodb/operations.ts';
import type { AwsClients } from '#shared/runtime/aws-clients.ts';
import { type Clock, systemClock } from '#shared/runtime/clock.ts';
import { setting } from '#shared/runtime/environment.ts';
import { eachMessage } from '#shared/sqs/each-message.ts';
import { applyStatusChange } from './apply-status-change.ts';
import { changeClient } from './change-client.ts';
import { changeOperation } from './change-operation.ts';

export function wire({ dynamo }: Pick<AwsClients, 'dynamo'>, clock: Clock, newId: () => string) {
  const tables = {
    operations: setting('OPERATIONS_TABLE'),
    hashes: setting('HASHES_TABLE'),
    deposits: setting('DEPOSITS_TABLE'),
    clients: setting('CLIENTS_TABLE'),
    events: setting('EVENTS_TABLE'),
  };
  const apply = applyStatusChange({
    changeOperation: changeOperation({
      operations: operationsIn(dynamo, tables.operations),
      endOperation: operationEnder(dynamo, tables, clock, newId),
      clock,
    }),
    changeClient: changeClient({
      approvals: clientApprovalsIn(dynamo, tables, clock, newId),
      clock,
    }),
  });
  return eachMessage('apply-status-change', clock, apply);
}

export const handler = wire({ dynamo }, systemClock, randomUUID);
