import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { toItem } from '#shared/platform/dynamodb/client.ts';
import { shardOf } from '#shared/platform/dynamodb/shards.ts';
import { newServiceEvent, type ServiceEvent } from './service-event.ts';

/** Partitions of the index of events that the bus has not accepted yet. */
export const UNPUBLISHED = 'EVENT';

export interface EventSource {
  /** The events table. */
  readonly table: string;
  readonly now: Date;
  readonly newId: () => string;
}

/**
 * The leg that puts a status change into the events table, in the transaction that makes the change: what is in the
 * table is what gets told, and it is published until the bus accepts it.
 */
export function statusEvent(
  { table, now, newId }: EventSource,
  change: Pick<ServiceEvent, 'clientId' | 'type'>,
  data: Readonly<Record<string, unknown>>,
): TransactWriteItem {
  const [id, occurredAt] = [newId(), now.toISOString()];
  const event = newServiceEvent({ ...change, eventId: `evt_${id}`, occurredAt }, data);
  return {
    Put: {
      TableName: table,
      Item: toItem({ ...event, unpublishedIn: shardOf(UNPUBLISHED, id) }),
      ConditionExpression: 'attribute_not_exists(eventId)',
    },
  };
}
