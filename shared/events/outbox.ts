import * as z from 'zod/mini';
import { shardOf } from '#shared/platform/dynamodb/index-entries.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { sequence } from './event-envelope.ts';
import { changeKey, eventIdOf, subjectOf } from './event-key.ts';
import { newServiceEvent, type ServiceEvent, withKey } from './service-event.ts';

/** Partitions of the index of events that the bus has not accepted yet. */
export const UNPUBLISHED = 'EVENT';

export interface EventSource {
  /** The events table. */
  readonly table: string;
  readonly now: Date;
}

/** What an event is about, and which change of it. An event of a deposit is about its operation. */
const about = z.object({
  operationId: z.optional(z.string()),
  payinId: z.optional(z.string()),
  depositId: z.optional(z.string()),
  sequence,
});

/**
 * The leg that puts a status change into the events table, in the transaction that makes the change. Every event in the
 * table is published, and publishing is repeated until the bus accepts it. It fails if this change already has its event.
 */
export function statusEvent(
  { table, now }: EventSource,
  change: Pick<ServiceEvent, 'clientId' | 'type'>,
  data: Readonly<Record<string, unknown>>,
): TransactionLeg {
  const { operationId, payinId, depositId, sequence } = about.parse(data);
  const subject =
    operationId === undefined
      ? payinId === undefined
        ? subjectOf('client', change.clientId)
        : subjectOf('payin', payinId)
      : subjectOf('operation', operationId);
  const eventId = eventIdOf(changeKey(subject, change.type, depositId, sequence));
  const event = newServiceEvent({ ...change, eventId, occurredAt: now.toISOString() }, data);
  return {
    Put: {
      TableName: table,
      Item: { ...withKey(event), unpublishedIn: shardOf(UNPUBLISHED, subject) },
      ConditionExpression: 'attribute_not_exists(subject)',
    },
  };
}
