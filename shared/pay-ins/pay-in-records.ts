import { referenceKey } from '#shared/clients/record-index.ts';
import { type EventSource, statusEvent } from '#shared/events/write-with-events.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { assignments } from '#shared/platform/dynamodb/conditional-write.ts';
import { shardOf, shards } from '#shared/platform/dynamodb/index-entries.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { type Payin, type PayinStatus, remainingOf } from './pay-in.ts';
import { payinReversed, payinStatusChanged } from './pay-in-events.ts';
import { nextPollAt } from './pay-in-poll-schedule.ts';

/** A pay-in's item with its index keys: `clientId` and `nextPollAt` are the key in the index of due pay-ins. */
export function payinItem(made: Payin, nextPollAt: string | undefined) {
  return { ...made, ...referenceKey(made), nextPollAt, record: 'PAYIN' };
}

/** The only partition of the mismatch index, which stays small: a person ends each entry. */
export const MISMATCHED = 'MISMATCHED';

/** The key of a pay-in in the mismatch index, for finance; `undefined` removes it. */
export const mismatchIndexKey = (at: string | undefined) => ({ mismatched: at && MISMATCHED, mismatchedAt: at });

const COMPLETED = 'COMPLETED';

/** Partitions of the index of completed pay-ins, for reports. */
export const completedPayinShards = shards(COMPLETED);

/** The permanent key of a pay-in in the index of completed pay-ins. */
export const completedIndexKey = (payinId: string, at: string) => ({
  completedShard: shardOf(COMPLETED, payinId),
  completedAt: at,
});

export const payinKey = (payinId: string): Item => ({ payinId, record: 'PAYIN' });

/** The update that sets the attributes, and removes undefined ones, if the sequence is still the one that was read. */
export function conditionalUpdate(
  table: string,
  { payinId, sequence }: Payin,
  attributes: Readonly<Record<string, unknown>>,
) {
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

/** The event of a status change; its schema picks the fields of the pay-in. */
export function statusEventOf(source: EventSource, payin: Payin, previousStatus: PayinStatus | null): TransactionLeg {
  const data = payinStatusChanged.shape.data.parse({ ...payin, previousStatus });
  return statusEvent(source, { clientId: payin.clientId, type: 'ramp.payin.status_changed' }, data);
}

/** The event that the rail has taken back money of a pay-in, or has it again. */
export function reversedEventOf(source: EventSource, payin: Payin): TransactionLeg {
  const { status: previousStatus, reversedAt = null } = payin;
  const data = { ...payin, previousStatus, reversedAt, remainingAmount: Number(remainingOf(payin)) };
  return statusEvent(
    source,
    { clientId: payin.clientId, type: 'ramp.payin.reversed' },
    payinReversed.shape.data.parse(data),
  );
}

interface Written {
  /** The table of pay-ins. */
  readonly table: string;
  readonly events: string;
}

/**
 * Returns the pay-in with its new status, and the legs of the transaction that writes it with its next poll and its
 * event.
 *
 * @param changes the other changes of the pay-in, beside its `indexKeys`
 */
export function statusChangeOf(
  { table, events }: Written,
  seen: Payin,
  to: PayinStatus,
  at: string,
  changes: Partial<Payin>,
  indexKeys: Readonly<Record<string, unknown>> = {},
) {
  const now = new Date(at);
  const statusHistory = [...seen.statusHistory, { status: to, at }];
  const change = { ...changes, status: to, sequence: seen.sequence + 1, statusHistory };
  const after: Payin = { ...seen, ...change };
  const legs = {
    payin: { Update: conditionalUpdate(table, seen, { ...change, nextPollAt: nextPollAt(after, now), ...indexKeys }) },
    event: statusEventOf({ table: events, now }, after, seen.status),
  };
  return { after, legs };
}
