import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { newServiceEvent, type ServiceEvent } from './service-event.ts';

/** Partitions of the index of events that the bus has not accepted yet. */
export const UNPUBLISHED = 'EVENT';

export interface EventSource {
  /** The events table. */
  readonly table: string;
  readonly now: Date;
  readonly newId: () => string;
}

/** The id by which the `about` index finds an event. An event of a deposit has that of its operation. */
function subjectOf({ operationId, payinId }: Readonly<Record<string, unknown>>): unknown {
  return operationId ?? payinId;
}

/**
 * The leg that puts a status change into the events table, in the transaction that makes the change: every event in the
 * table is published, and publishing is repeated until the bus accepts it.
 */
export function statusEvent(
  { table, now, newId }: EventSource,
  change: Pick<ServiceEvent, 'clientId' | 'type'>,
  data: Readonly<Record<string, unknown>>,
): TransactionLeg {
  const [id, occurredAt] = [newId(), now.toISOString()];
  const event = newServiceEvent({ ...change, eventId: `evt_${id}`, occurredAt }, data);
  return {
    Put: {
      TableName: table,
      Item: { ...event, about: subjectOf(data) ?? change.clientId, unpublishedIn: shardOf(UNPUBLISHED, id) },
      ConditionExpression: 'attribute_not_exists(eventId)',
    },
  };
}
