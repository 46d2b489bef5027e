import { unpublishedShards } from '#shared/events/event-repository.ts';
import type { Deposit } from '#shared/off-ramps/model/deposit.ts';
import { depositShards, hashShardOf } from '#shared/off-ramps/store/deposit-polls.ts';
import { OWED } from '#shared/off-ramps/store/finance-lists.ts';
import { SEARCHERS_BESIDE_CLIENTS } from '#shared/off-ramps/store/hash-searches.ts';
import { CONTRADICTED, CONTRADICTED_INDEX, pendingShards } from '#shared/off-ramps/store/off-ramp-repository.ts';
import { MISMATCHED } from '#shared/pay-ins/pay-in-records.ts';
import { shards } from '#shared/platform/dynamodb/index-entries.ts';

/** An index whose first entries show how long work has been waiting. */
export interface MeasuredIndex {
  /** A metric in seconds: the age of the oldest entry; 0 without one. */
  readonly age: string;
  /** A metric: the number of entries in the index. */
  readonly number?: string;
  readonly table: 'operations' | 'deposits' | 'payins' | 'events' | 'deliveries';
  readonly index: string;
  readonly shard: string;
  /** All shards, or a function that returns the shards of the clients. */
  readonly shards: readonly string[] | ((clientIds: readonly string[]) => readonly string[]);
  /** The sort key of the index, by default also the time since which an entry has been waiting. */
  readonly at: string;
  /** The attribute with the start of the wait, if the index is sorted by the next time of a sweep, which moves on. */
  readonly since?: string;
  /** An item with one of these attributes does not wait here. */
  readonly unless?: readonly string[];
}

/** The ages that show whether automatic work has stopped, or people have forgotten an item. */
export const measuredIndexes = [
  {
    age: 'oldest unpublished event',
    table: 'events',
    index: 'unpublished',
    shard: 'unpublishedIn',
    shards: unpublishedShards,
    at: 'occurredAt',
  },
  {
    age: 'longest overdue poll of a deposit',
    table: 'deposits',
    index: 'due',
    shard: 'dueShard',
    shards: depositShards,
    at: 'dueAt',
    since: 'nextPollAt',
  },
  {
    age: 'longest overdue poll of a hash',
    table: 'deposits',
    index: 'due',
    shard: 'dueShard',
    shards: (clientIds) => [...SEARCHERS_BESIDE_CLIENTS, ...clientIds].map(hashShardOf),
    at: 'dueAt',
    since: 'nextPollAt',
  },
  {
    age: 'longest overdue poll of a pay-in',
    table: 'payins',
    index: 'due',
    shard: 'clientId',
    shards: (clientIds) => clientIds,
    at: 'nextPollAt',
  },
  {
    age: 'longest overdue check of a verification',
    table: 'operations',
    index: 'due',
    shard: 'dueShard',
    shards: (clientIds) => clientIds,
    at: 'nextCheckAt',
  },
  {
    age: 'longest overdue delivery',
    table: 'deliveries',
    index: 'due',
    shard: 'clientId',
    shards: (clientIds) => clientIds,
    at: 'dueAt',
    since: 'nextAttemptAt',
  },
  {
    age: 'longest overdue deposit of an off-ramp',
    table: 'operations',
    index: 'awaiting',
    shard: 'awaitingShard',
    shards: (clientIds) => clientIds,
    at: 'expiresAt',
  },
  {
    age: 'oldest unpaid off-ramp',
    table: 'operations',
    index: 'pending',
    shard: 'pendingShard',
    shards: pendingShards,
    at: 'creditedAt',
  },
  {
    age: 'oldest owed deposit',
    number: 'owed deposits',
    table: 'deposits',
    index: 'owed',
    shard: 'owed',
    shards: [OWED],
    at: 'owedSince',
    // A deposit that was taken back is owed to nobody: it waits in another list.
    unless: ['settled', 'unmatched'],
  },
  {
    age: 'oldest unmatched deposit',
    number: 'unmatched deposits',
    table: 'deposits',
    index: 'unmatched',
    shard: 'unmatched',
    shards: ['UNMATCHED' satisfies Deposit['unmatched']],
    at: 'unmatchedSince',
  },
  {
    age: 'oldest deposit that was taken back',
    number: 'deposits that were taken back',
    table: 'deposits',
    index: 'unmatched',
    shard: 'unmatched',
    shards: ['REVERSED' satisfies Deposit['unmatched']],
    at: 'unmatchedSince',
  },
  {
    age: 'oldest contradiction',
    table: 'operations',
    index: CONTRADICTED_INDEX,
    shard: 'contradictedShard',
    shards: shards(CONTRADICTED),
    at: 'contradictedSince',
  },
  {
    age: 'oldest return that waits for a person',
    table: 'deposits',
    index: 'returns',
    shard: 'returnState',
    shards: ['WAITING'],
    at: 'returnDueAt',
  },
  {
    age: 'longest overdue return',
    table: 'deposits',
    index: 'returns',
    shard: 'returnState',
    shards: ['DUE', 'WATCHED'],
    at: 'returnDueAt',
  },
  {
    age: 'oldest mismatched pay-in',
    table: 'payins',
    index: 'mismatched',
    shard: 'mismatched',
    shards: [MISMATCHED],
    at: 'mismatchedAt',
  },
] as const satisfies readonly MeasuredIndex[];

export type Age = (typeof measuredIndexes)[number]['age'];
