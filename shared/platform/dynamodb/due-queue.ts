import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { LONGEST_DELAY } from '#shared/platform/aws/messages.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from './client.ts';
import { unlessConditionFails, updateItem } from './conditional-write.ts';
import { queryIndex } from './index-entries.ts';

/*
 * Work that waits for a time. The table holds the due time, in a sparse index that a sweep reads each minute. A message
 * is only a hint: it may be lost, or arrive twice.
 */

/** Seconds after which a message counts as lost. */
export const MESSAGE_LOST_AFTER = 300;

/** The same for long overdue work, at most: its queue is long, and more messages would not shorten it. */
const LATEST_MESSAGE_LOSS = 1800;

/** Entries of one shard that are read at a time: a sweep reads the shards of all clients together. */
export const DUE_PAGE_SIZE = 50;

/**
 * The time at which a message that arrives at `arrivesAt` counts as lost, so that the sweep sends another. The wait
 * equals the time by which the work is overdue, within bounds: work that waits in a queue for hours gets a few more
 * messages, not one every five minutes.
 */
export function messageLostAt(arrivesAt: Date, plannedAt: Date = arrivesAt): string {
  const overdue = (arrivesAt.getTime() - plannedAt.getTime()) / 1000;
  const seconds = Math.min(Math.max(overdue, MESSAGE_LOST_AFTER), LATEST_MESSAGE_LOSS);
  return new Date(arrivesAt.getTime() + seconds * 1000).toISOString();
}

/** The latest time at which a sweep takes over work that is overdue now. It sends messages up to a minute ahead. */
export function latestTakeoverAt(now: Date): string {
  return new Date(now.getTime() + (60 + LATEST_MESSAGE_LOSS) * 1000).toISOString();
}

interface Wait {
  /** The time at which the sweep takes over, written before the message is sent. */
  readonly dueAt: string;
  /**
   * The message's delay in seconds; absent if the wait is longer than a message can be delayed: then the sweep sends
   * it.
   */
  readonly delaySeconds?: number;
}

/** How work waits: by a message, or only in the table. */
export function planWait(time: string, now: Date): Wait {
  const at = new Date(time);
  const delaySeconds = (at.getTime() - now.getTime()) / 1000;
  return delaySeconds <= LONGEST_DELAY ? { dueAt: messageLostAt(at), delaySeconds } : { dueAt: time };
}

interface DueIndex<Entry extends z.ZodMiniType> {
  readonly index: string;
  /** Name of its partition key, whose value is one of some fixed shards, or the client. */
  readonly shard: string;
  /** Name of its sort key, the time at which the sweep takes over. */
  readonly at: string;
  readonly entry: Entry;
}

/** The entries of a shard that are due before the given time, longest due first. */
export type DueBefore<Entry> = (shard: string, before: string) => AsyncGenerator<Entry>;

/** Reads due entries. The index may lag, so callers read the item again, or write it on a condition, by its key. */
export function createDueBefore<Entry extends z.ZodMiniType>(
  dynamo: DynamoDBDocumentClient,
  table: string,
  { index, shard, at, entry }: DueIndex<Entry>,
): DueBefore<z.infer<Entry>> {
  return (name, before) =>
    queryIndex(dynamo, table, entry, {
      index,
      condition: `${shard} = :shard AND ${at} < :before`,
      values: { ':shard': name, ':before': before },
      pageSize: DUE_PAGE_SIZE,
    });
}

/** Reserves work while its message is on its way; `undefined` if its due time has changed since it was read. */
type Reserve<Seen, Kept> = (seen: Seen, lostAt: string) => Promise<Kept | undefined>;

interface Due {
  readonly dueAt: string;
}

/** Reads and reserves due work that a sweep sends by messages. The sort key of its index is `dueAt`. */
export function createDueQueue<Seen extends Due, Entry extends z.ZodMiniType<Seen>, Kept>(
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
    dueBefore: createDueBefore(dynamo, table, { index: 'due', shard, at: 'dueAt', entry }),

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

/**
 * Sends the message of work that is due soon, so that it arrives at the due time. Does nothing if another run was
 * faster.
 */
export async function reserveAndSend<Seen extends Due, Kept>(
  { reserve, clock }: { readonly reserve: Reserve<Seen, Kept>; readonly clock: Clock },
  due: Seen,
  plannedAt: string,
  send: (kept: Kept, delaySeconds: number) => Promise<void>,
): Promise<void> {
  const now = clock.now().getTime();
  const arrivesAt = new Date(Math.max(now, Date.parse(due.dueAt)));
  const lostAt = messageLostAt(arrivesAt, new Date(plannedAt));
  const kept = await reserve(due, lostAt);
  if (kept === undefined) return;
  try {
    await send(kept, (arrivesAt.getTime() - now) / 1000);
  } catch (error) {
    // The message was not sent: the next sweep retries soon, however long the work is overdue.
    await reserve({ ...due, dueAt: lostAt }, messageLostAt(arrivesAt));
    throw error;
  }
}
