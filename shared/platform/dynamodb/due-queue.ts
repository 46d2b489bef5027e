import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { LONGEST_DELAY } from '#shared/platform/aws/messages.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from './client.ts';
import { unlessConditionFails, updateItem } from './conditional-write.ts';
import { indexEntries } from './index-entries.ts';

/*
 * Work that waits for a time. The table has the due time, in a sparse index that a sweep reads each minute. A message
 * is only a hint: it may be lost, or come twice.
 */

/** Seconds after which a message counts as lost. */
export const MESSAGE_LOST_AFTER = 300;

/** The most seconds, for long overdue work: the queue is long then, and more messages do not shorten it. */
const LATEST_MESSAGE_LOSS = 1800;

/** Entries of one shard that are read at a time: a sweep reads the shards of all clients together. */
export const PAGE = 50;

/**
 * When the sweep sends another message after one that arrives at the given time: after as many seconds as the work is
 * overdue by then, within bounds. So work that waits in a queue for hours gets a few more messages, not one every five
 * minutes.
 */
export function lostAfter(arrivesAt: Date, plannedAt: Date = arrivesAt): string {
  const overdue = (arrivesAt.getTime() - plannedAt.getTime()) / 1000;
  const seconds = Math.min(Math.max(overdue, MESSAGE_LOST_AFTER), LATEST_MESSAGE_LOSS);
  return new Date(arrivesAt.getTime() + seconds * 1000).toISOString();
}

/** When a sweep takes over, at the latest, what is overdue at this time: it sends a message at most a minute ahead. */
export function takenOverBy(now: Date): string {
  return new Date(now.getTime() + (60 + LATEST_MESSAGE_LOSS) * 1000).toISOString();
}

interface Wait {
  /** When the sweep takes over. Written before the message is sent. */
  readonly dueAt: string;
  /** The message's delay; absent if the wait is longer than that of a message, and the sweep sends it. */
  readonly delaySeconds?: number;
}

/** How work waits: by a message, or only in the table. */
export function waitUntil(time: string, now: Date): Wait {
  const at = new Date(time);
  const delaySeconds = (at.getTime() - now.getTime()) / 1000;
  return delaySeconds <= LONGEST_DELAY ? { dueAt: lostAfter(at), delaySeconds } : { dueAt: time };
}

interface DueIndex<Entry extends z.ZodMiniType> {
  readonly index: string;
  /** Its partition key: one of some fixed shards, or the client. */
  readonly shard: string;
  /** Its sort key: when the sweep takes over. */
  readonly at: string;
  readonly entry: Entry;
}

/** The entries of a shard that are due before the given time, longest due first. */
export type DueBefore<Entry> = (shard: string, before: string) => AsyncGenerator<Entry>;

/** Reads due entries. The index may lag: the item is read again, or written on a condition, by its key. */
export function dueEntries<Entry extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  { index, shard, at, entry }: DueIndex<Entry>,
): DueBefore<z.infer<Entry>> {
  return (name, before) =>
    indexEntries(dynamo, table, entry, {
      index,
      condition: `${shard} = :shard AND ${at} < :before`,
      values: { ':shard': name, ':before': before },
      pageSize: PAGE,
    });
}

/** Reserves work while its message is on its way; `undefined` when it is no longer due as read. */
type Reserve<Seen, Kept> = (seen: Seen, lostAt: string) => Promise<Kept | undefined>;

interface Due {
  readonly dueAt: string;
}

/** The same for work that a sweep sends by messages: `dueAt` is its sort key. */
export function dueQueue<Seen extends Due, Entry extends z.ZodMiniType<Seen>, Kept>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
  {
    shard,
    entry,
    item,
    keyOf,
  }: Pick<DueIndex<Entry>, 'shard' | 'entry'> & {
    readonly item: { parse(item: unknown): Kept };
    readonly keyOf: (seen: Seen) => Item;
  },
) {
  return {
    dueBefore: dueEntries(dynamo, table, { index: 'due', shard, at: 'dueAt', entry }),

    reserve: (async (seen, lostAt) => {
      const update = new UpdateCommand({
        TableName: table,
        Key: keyOf(seen),
        UpdateExpression: 'SET dueAt = :lost',
        ConditionExpression: 'dueAt = :seen',
        ExpressionAttributeValues: { ':lost': lostAt, ':seen': seen.dueAt },
        ReturnValues: 'ALL_NEW',
      });
      const written = await unlessConditionFails(updateItem(dynamo, clock, update));
      return written?.Attributes && item.parse(written.Attributes);
    }) satisfies Reserve<Seen, Kept>,
  };
}

/** Sends the message of work that is due soon, to arrive at its time, unless another run was faster. */
export async function handOut<Seen extends Due, Kept>(
  { reserve, clock }: { readonly reserve: Reserve<Seen, Kept>; readonly clock: Clock },
  due: Seen,
  plannedAt: string,
  send: (kept: Kept, delaySeconds: number) => Promise<void>,
): Promise<void> {
  const now = clock.now().getTime();
  const arrivesAt = new Date(Math.max(now, Date.parse(due.dueAt)));
  const lostAt = lostAfter(arrivesAt, new Date(plannedAt));
  const kept = await reserve(due, lostAt);
  if (kept === undefined) return;
  try {
    await send(kept, (arrivesAt.getTime() - now) / 1000);
  } catch (error) {
    // The message was not sent: the next sweep retries soon, however long the work is overdue.
    await reserve({ ...due, dueAt: lostAt }, lostAfter(arrivesAt));
    throw error;
  }
}
