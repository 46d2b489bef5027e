import type * as z from 'zod/mini';
import { userReference } from '#shared/clients/user-index.ts';
import { type EventSource, statusEvent } from '#shared/events/outbox.ts';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { shardOf, shards } from '#shared/platform/dynamodb/shards.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { MISMATCHED } from './mismatched-pay-ins.ts';
import type { Payin, PayinStatus } from './pay-in.ts';
import type { payinStatusChanged } from './pay-in-events.ts';
import { nextPollAt } from './pay-in-poll-schedule.ts';

const DUE = 'PAYIN';

/** Partitions of the index of pay-ins that are due. */
export const duePayinShards = shards(DUE);

/** The place of a pay-in in that index; none when the rail is not asked again. */
export function duePayin(payinId: string, at: string | undefined) {
  return { dueShard: at === undefined ? undefined : shardOf(DUE, payinId), nextPollAt: at };
}

/** A pay-in as the table keeps it: with what the indexes find it by. */
export function payinItem(made: Payin, dueAt: string | undefined) {
  return { ...made, ...duePayin(made.payinId, dueAt), userReference: userReference(made), record: 'PAYIN' };
}

/** The place of a pay-in in the index of those that finance has to end: another amount was paid than was ordered. */
export const mismatched = (at: string | undefined) => ({ mismatched: at && MISMATCHED, mismatchedAt: at });

const COMPLETED = 'COMPLETED';

/** Partitions of the index of pay-ins that were paid, for reports. */
export const completedPayinShards = shards(COMPLETED);

/** The place of a pay-in in that index, which it keeps. */
export const completed = (payinId: string, at: string) => ({
  completedShard: shardOf(COMPLETED, payinId),
  completedAt: at,
});

export const payinKey = (payinId: string): Item => ({ payinId, record: 'PAYIN' });

/** Writes the attributes, and removes those that are undefined, if the pay-in is as it was read. */
export function changeOf(table: string, { payinId, sequence }: Payin, attributes: Readonly<Record<string, unknown>>) {
  const { expression, names, values } = assignments(attributes);
  return {
    TableName: table,
    Key: payinKey(payinId),
    UpdateExpression: expression,
    ConditionExpression: '#sequence = :seen',
    ExpressionAttributeNames: { ...names, '#sequence': 'sequence' },
    ExpressionAttributeValues: { ...values, ':seen': sequence },
  };
}

export function changedStatus(
  source: EventSource,
  { payinId, clientId, userId, status, sequence }: Payin,
  previousStatus: PayinStatus | null,
): TransactionLeg {
  const data: z.infer<typeof payinStatusChanged.shape.data> = { payinId, userId, status, previousStatus, sequence };
  return statusEvent(source, { clientId, type: 'ramp.payin.status_changed' }, data);
}

interface Written {
  /** Of pay-ins. */
  readonly table: string;
  readonly events: string;
  readonly newId: () => string;
}

/** A change of the status of a pay-in as it was read, with its event and its next poll: both are one transaction. */
export function statusChangeOf(
  { table, events, newId }: Written,
  seen: Payin,
  to: PayinStatus,
  at: string,
  further: Readonly<Record<string, unknown>>,
) {
  const now = new Date(at);
  const statusHistory = [...seen.statusHistory, { status: to, at }];
  const after: Payin = { ...seen, status: to, sequence: seen.sequence + 1, statusHistory };
  const { payinId, sequence } = after;
  const due = duePayin(payinId, nextPollAt(after, now));
  const legs = {
    payin: { Update: changeOf(table, seen, { status: to, sequence, statusHistory, ...due, ...further }) },
    event: changedStatus({ table: events, now, newId }, after, seen.status),
  };
  return { after, legs };
}
