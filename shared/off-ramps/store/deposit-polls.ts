import { isDeepStrictEqual } from 'node:util';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { LONGEST_DELAY } from '#shared/platform/aws/longest-delay.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { itemInTheWay, unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { retryOnConflict } from '#shared/platform/dynamodb/retry-on-conflict.ts';
import { shardOf, shards } from '#shared/platform/dynamodb/shards.ts';
import { type TransactionLeg, transact } from '#shared/platform/dynamodb/transaction.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';

/** Sparse: only deposits, and hashes that are looked for, that have a poll to come are in it. */
const DUE_INDEX = 'due';

/** Begins the keys of hashes that are looked for; what neither this nor the next one begins is a deposit. */
export const HASH_PREFIX = 'HASH#';

/** Begins the keys of counts of reports, which bound those searches. */
export const REPORTS_PREFIX = 'REPORTS#';

export function isDepositKey(key: string): boolean {
  return !key.startsWith(HASH_PREFIX) && !key.startsWith(REPORTS_PREFIX);
}

export const depositShards = shards('DEPOSIT');

/** The searches of each client are a shard: however many it reports, neither deposits nor other clients' wait behind them. */
export function hashShardOf(clientId: string): string {
  return HASH_PREFIX + clientId;
}

/** Of each client at a time, because a sweep has those of all. */
const DUE_PAGE = 50;

/** Seconds after which a message that was sent for a poll counts as lost: as many as the poll is overdue, within these. */
const MESSAGE_LOST_AFTER = { least: 300, most: 1800 };

const dueEntry = z.object({ custodianTransferId: z.string(), dueAt: z.string() });

/**
 * When the sweep sends the message of a poll: at the time of the poll or, if a message was sent, when that counts as
 * lost.
 */
export type DuePoll = z.infer<typeof dueEntry>;

const depositPoll = z.object({ custodianTransferId: z.string(), nextPollAt: z.string() });

/**
 * The next poll of a deposit, or of a hash that is looked for. Its time identifies it: the result of a poll that is no
 * longer the next one is not recorded.
 */
export type DepositPoll = z.infer<typeof depositPoll>;

/** A polled item, as it was read for the poll. */
export type Polled = DepositPoll & {
  readonly creditedTo?: string | undefined;
  readonly sequence?: number | undefined;
  /** Somebody has settled it: what a poll finds then is in no list. */
  readonly settled?: unknown;
  /** Of a search, which may be renewed while it is polled. */
  readonly endsAt?: string | undefined;
};

/** The table says when polls are due; messages in the queue are only hints. */
export function createDepositPolls(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    /** Polls of one shard that are due before the given time, the longest overdue first. */
    dueBefore: (shard: string, before: string): AsyncGenerator<DuePoll> =>
      indexEntries(dynamo, table, dueEntry, {
        index: DUE_INDEX,
        condition: 'dueShard = :shard AND dueAt < :before',
        values: { ':shard': shard, ':before': before },
        pageSize: DUE_PAGE,
      }),

    /**
     * Reserves the sending of a message for a due poll; `undefined` when it is no longer due, or another run has
     * reserved it.
     */
    async reserve({ custodianTransferId, dueAt }: DuePoll, lostAt: string): Promise<DepositPoll | undefined> {
      const update = new UpdateCommand({
        TableName: table,
        Key: { custodianTransferId },
        UpdateExpression: 'SET dueAt = :lost',
        ConditionExpression: 'dueAt = :seen',
        ExpressionAttributeValues: { ':lost': lostAt, ':seen': dueAt },
        ReturnValues: 'ALL_NEW',
      });
      const written = await unlessConditionFails(updateItem(dynamo, clock, update));
      return written?.Attributes && depositPoll.parse(written.Attributes);
    },

    /**
     * Records what a poll changed, and when the next one is due, if there is one; in one transaction with the event of a
     * status that changed. False, and nothing is written, when another poll was planned since, the deposit was credited or
     * settled, or the search was renewed. True also when this was written already: the SDK asked twice, because the answer to the first was lost.
     */
    async record(
      polled: Polled,
      change: Readonly<Record<string, unknown>>,
      next?: PollTimes,
      event?: TransactionLeg,
    ): Promise<boolean> {
      const { custodianTransferId, sequence } = polled;
      const times = {
        nextPollAt: next?.nextPollAt,
        dueAt: next?.dueAt,
        dueShard: next && dueShardOf(custodianTransferId),
      };
      const written = { ...change, ...times };
      const { expression, names, values } = assignments(written);
      const asRead = asPolled(polled);
      const update = {
        TableName: table,
        Key: { custodianTransferId },
        UpdateExpression: expression,
        ConditionExpression: asRead.condition,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ...asRead.values },
      };
      if (event !== undefined) {
        const { condition, values: seen } = statusAsRead(sequence);
        const deposit = {
          Update: {
            ...update,
            ConditionExpression: `${update.ConditionExpression} AND ${condition}`,
            ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...seen },
          },
        };
        const lost = await retryOnConflict(clock, () => transact(dynamo, { deposit, event }));
        if (lost.size === 0) return true;
        const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key: update.Key, ConsistentRead: true }));
        return Item !== undefined && isAsWritten(Item, written);
      }
      try {
        await updateItem(
          dynamo,
          clock,
          new UpdateCommand({ ...update, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
        );
        return true;
      } catch (error) {
        const item = itemInTheWay(error);
        return item !== undefined && isAsWritten(item, written);
      }
    },
  };
}

export type DepositPolls = ReturnType<typeof createDepositPolls>;

/** The condition that nobody has planned another poll of it, or changed it in a way that asks for another decision. */
function asPolled({ nextPollAt, creditedTo, settled, endsAt }: Polled) {
  const conditions = [
    '#nextPollAt = :polled',
    ...(creditedTo === undefined ? ['attribute_not_exists(creditedTo)'] : []),
    settled === undefined ? 'attribute_not_exists(settled)' : 'attribute_exists(settled)',
    ...(endsAt === undefined ? [] : ['endsAt = :endsAt']),
  ];
  return {
    condition: conditions.join(' AND '),
    values: { ':polled': nextPollAt, ...(endsAt !== undefined && { ':endsAt': endsAt }) },
  };
}

/** Whether an item has these attributes, and not those that are undefined. */
function isAsWritten(item: Item, written: Readonly<Record<string, unknown>>): boolean {
  const expected = unmarshall(marshall(written, { removeUndefinedValues: true }));
  return Object.keys(written).every((name) => isDeepStrictEqual(item[name], expected[name]));
}

/** When a poll is due. */
interface PollTimes extends Pick<DepositPoll, 'nextPollAt'>, Pick<DuePoll, 'dueAt'> {}

/** Which shard of the due index an item is in while it has a poll to come. */
export function dueShardOf(custodianTransferId: string): string {
  const clientId = searcherOf(custodianTransferId);
  return clientId === undefined ? shardOf('DEPOSIT', custodianTransferId) : hashShardOf(clientId);
}

/** Whose search it is; `undefined` of a deposit. */
function searcherOf(custodianTransferId: string): string | undefined {
  return isHashSearch(custodianTransferId) ? custodianTransferId.split('#')[1] : undefined;
}

export function isHashSearch(custodianTransferId: string): boolean {
  return custodianTransferId.startsWith(HASH_PREFIX);
}

/** When the sweep is to send a message again that is handed out at the given time, for a poll that was due then or before. */
export function lostAfter(handedOutAt: Date, pollAt = handedOutAt): string {
  const overdue = (handedOutAt.getTime() - pollAt.getTime()) / 1000;
  const seconds = Math.min(MESSAGE_LOST_AFTER.most, Math.max(MESSAGE_LOST_AFTER.least, overdue));
  return new Date(handedOutAt.getTime() + seconds * 1000).toISOString();
}

/** Reads a message: a hint that the poll is due; the table has the truth. */
export function parseDepositPoll(messageBody: string): DepositPoll {
  return depositPoll.parse(JSON.parse(messageBody));
}

/** @param delaySeconds the delay of the message, at most 900 */
export type SendDepositPoll = (poll: DepositPoll, delaySeconds: number) => Promise<void>;

/**
 * Polls for the hashes of a client are one group and those of deposits another: however many it reports, deposits and what
 * others look for overtake them (fair queues of SQS).
 */
export function createSendDepositPoll(sqs: SQSClient, queueUrl: string): SendDepositPoll {
  return async ({ custodianTransferId, nextPollAt }, delaySeconds) => {
    const clientId = searcherOf(custodianTransferId);
    await sqs.send(
      new SendMessageCommand({
        QueueUrl: queueUrl,
        MessageBody: JSON.stringify({ custodianTransferId, nextPollAt }),
        MessageGroupId: clientId === undefined ? 'deposits' : `hashes#${clientId}`,
        DelaySeconds: Math.min(LONGEST_DELAY, Math.max(0, Math.ceil(delaySeconds))),
      }),
    );
  };
}

/** The condition that the status of a deposit is the one that was read: `#sequence` counts its statuses. */
export function statusAsRead(sequence: number | undefined) {
  return sequence === undefined
    ? { condition: 'attribute_not_exists(#sequence)', values: {} }
    : { condition: '#sequence = :seen', values: { ':seen': sequence } };
}
