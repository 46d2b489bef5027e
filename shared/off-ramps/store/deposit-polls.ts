import { isDeepStrictEqual } from 'node:util';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { type Deposit, deposit } from '#shared/off-ramps/model/deposit.ts';
import { createSendMessage } from '#shared/platform/aws/messages.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import {
  assignments,
  conflictingItem,
  unlessConditionFails,
  updateItem,
} from '#shared/platform/dynamodb/conditional-write.ts';
import { createDueQueue } from '#shared/platform/dynamodb/due-queue.ts';
import { shardOf, shards } from '#shared/platform/dynamodb/index-entries.ts';
import { retryOnConflict, type TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { writeWithEvents } from './off-ramp-event-records.ts';

/** Prefix of the keys of searched hashes. A key without any of these three prefixes is a deposit. */
export const HASH_PREFIX = 'HASH#';

/** Prefix of the keys of counts of reports, which limit these searches. */
export const REPORTS_PREFIX = 'REPORTS#';

/** Prefix of the keys of items that say how far the custodians' lists are read. */
export const LIST_PREFIX = 'LIST#';

export function isDepositKey(key: string): boolean {
  return ![HASH_PREFIX, REPORTS_PREFIX, LIST_PREFIX].some((prefix) => key.startsWith(prefix));
}

export const depositShards = shards('DEPOSIT');

/** Each client's searches are a shard of their own: its reports delay neither deposits nor other clients' searches. */
export function hashShardOf(clientId: string): string {
  return HASH_PREFIX + clientId;
}

const depositPoll = z.object({ custodianTransferId: z.string(), nextPollAt: z.string() });

/**
 * The next poll of a deposit or a searched hash. Its time identifies it: a poll that has been replaced records nothing.
 */
export type DepositPoll = z.infer<typeof depositPoll>;

const duePoll = z.extend(depositPoll, { dueAt: z.string() });

/** A deposit or a searched hash with a poll to come. */
export type DuePoll = z.infer<typeof duePoll>;

/** The fields of a polled item that `record` compares, as read for the poll. */
export type Polled = DepositPoll & {
  readonly creditedAt?: string | undefined;
  readonly sequence?: number | undefined;
  /** Compared, because a poll must not list a settled deposit again. */
  readonly settled?: unknown;
  /** Compared, because during a return a poll writes facts only, and raises an alarm if the deposit is taken back. */
  readonly return?: unknown;
  /** The end of a search. Compared, because a report may extend the search while it is polled. */
  readonly endsAt?: string | undefined;
};

export function createDepositPolls(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    ...createDueQueue(dynamo, table, clock, {
      shard: 'dueShard',
      entry: duePoll,
      item: depositPoll,
      keyOf: ({ custodianTransferId }: Pick<DuePoll, 'custodianTransferId' | 'dueAt'>) => ({ custodianTransferId }),
    }),

    /**
     * Records the changes of a poll and the next due time, if any, in one transaction with the legs `also`: the event
     * of a changed status, and the claim of a movement. Returns false, and writes nothing, when another poll was
     * planned since, the deposit was credited or settled, or the search was extended. Returns true also if this was
     * already written: the SDK repeats a call whose answer was lost.
     */
    async record(
      polled: Polled,
      change: Readonly<Record<string, unknown>>,
      next?: PollTimes,
      also: Readonly<Record<string, TransactionLeg>> = {},
    ): Promise<boolean> {
      const { custodianTransferId } = polled;
      const none = { nextPollAt: undefined, dueAt: undefined, dueShard: undefined };
      const written = { ...change, ...(next ? pollTimes(custodianTransferId, next.nextPollAt, next.dueAt) : none) };
      const { expression, names, values } = assignments(written);
      const asRead = asPolled(polled);
      const update = {
        TableName: table,
        Key: { custodianTransferId },
        UpdateExpression: expression,
        ConditionExpression: asRead.condition,
        ExpressionAttributeNames: { ...names, '#sequence': 'sequence', '#return': 'return' },
        ExpressionAttributeValues: { ...values, ...asRead.values },
      };
      if (Object.keys(also).length > 0) {
        const lost = await retryOnConflict(clock, () =>
          writeWithEvents<string>(dynamo, { deposit: { Update: update }, ...also }),
        );
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
        const item = conflictingItem(error);
        return item !== undefined && isAsWritten(item, written);
      }
    },
  };
}

export type DepositPolls = ReturnType<typeof createDepositPolls>;

/**
 * The condition that no other poll was planned, and nothing changed that needs another decision. The time of the poll
 * is not enough: another poll may have changed the status, and a notification then planned a poll for the same
 * millisecond. `owed` is not compared: no poll writes it, and a poll that read it just before a change is as good as
 * one that ended before the change.
 */
function asPolled({ nextPollAt, creditedAt, settled, endsAt, sequence, return: returning }: Polled) {
  const status = statusUnchanged(sequence);
  const conditions = [
    '#nextPollAt = :polled',
    status.condition,
    ...(creditedAt === undefined ? ['attribute_not_exists(creditedAt)'] : []),
    settled === undefined ? 'attribute_not_exists(settled)' : 'attribute_exists(settled)',
    returning === undefined ? 'attribute_not_exists(#return)' : '#return = :return',
    ...(endsAt === undefined ? [] : ['endsAt = :endsAt']),
  ];
  return {
    condition: conditions.join(' AND '),
    values: {
      ':polled': nextPollAt,
      ...status.values,
      ...(returning !== undefined && { ':return': returning }),
      ...(endsAt !== undefined && { ':endsAt': endsAt }),
    },
  };
}

/** True if the item has exactly these values, and none of the attributes that are undefined here. */
function isAsWritten(item: Item, written: Readonly<Record<string, unknown>>): boolean {
  const expected = unmarshall(marshall(written, { removeUndefinedValues: true }));
  return Object.keys(written).every((name) => isDeepStrictEqual(item[name], expected[name]));
}

/** The time of a poll, and the time at which the sweep sends its message. */
interface PollTimes extends Pick<DepositPoll, 'nextPollAt'>, Pick<DuePoll, 'dueAt'> {}

/**
 * The attributes of an item with a planned poll. Give `dueAt` if a message is on its way already; otherwise the sweep
 * sends one at the time of the poll.
 */
export function pollTimes(custodianTransferId: string, nextPollAt: string, dueAt = nextPollAt) {
  return { nextPollAt, dueAt, dueShard: dueShardOf(custodianTransferId) };
}

/** The shard of the due index for an item with a planned poll. */
export function dueShardOf(custodianTransferId: string): string {
  const clientId = searcherOf(custodianTransferId);
  return clientId === undefined ? shardOf('DEPOSIT', custodianTransferId) : hashShardOf(clientId);
}

/** The client of a search, or `operators` or `custodian`; `undefined` for a deposit. */
export function searcherOf(custodianTransferId: string): string | undefined {
  return isHashSearch(custodianTransferId) ? custodianTransferId.split('#')[1] : undefined;
}

export function isHashSearch(custodianTransferId: string): boolean {
  return custodianTransferId.startsWith(HASH_PREFIX);
}

/** Reads a message. It is only a hint that the poll is due: the table decides. */
export function parseDepositPoll(messageBody: string): DepositPoll {
  return depositPoll.parse(JSON.parse(messageBody));
}

/** @param delaySeconds the delay of the message, at most 900 */
export type SendDepositPoll = (poll: DepositPoll, delaySeconds: number) => Promise<void>;

/**
 * Sends the message of a poll. The hash polls of each client are one message group, those of all deposits another:
 * however many hashes a client reports, deposits and other clients' searches overtake them (fair queues of SQS).
 */
export function createSendDepositPoll(sqs: SQSClient, queueUrl: string): SendDepositPoll {
  const send = createSendMessage(sqs, queueUrl);
  return ({ custodianTransferId, nextPollAt }, delaySeconds) => {
    const clientId = searcherOf(custodianTransferId);
    const group = clientId === undefined ? 'deposits' : `hashes#${clientId}`;
    return send({ custodianTransferId, nextPollAt }, group, delaySeconds);
  };
}

/**
 * Makes the next poll of a deposit due, so that the sweep polls it within a minute; returns the deposit, or `undefined`
 * if there is none. It replaces the planned poll and, unlike a notification, does not extend the watch.
 */
export type PollDepositNow = (custodianTransferId: string, at: string) => Promise<Deposit | undefined>;

export function createPollDepositNow(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): PollDepositNow {
  return async (custodianTransferId, at) => {
    if (!isDepositKey(custodianTransferId)) return undefined;
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: 'SET nextPollAt = :at, dueAt = :at, dueShard = :shard',
      // After an unreadable notification only the id may be known: the custodian cannot be asked for such a transfer.
      ConditionExpression: 'attribute_exists(txHash)',
      ExpressionAttributeValues: { ':at': at, ':shard': dueShardOf(custodianTransferId) },
      ReturnValues: 'ALL_NEW',
    });
    const written = await unlessConditionFails(updateItem(dynamo, clock, update));
    return written?.Attributes && deposit.parse(written.Attributes);
  };
}

/** The condition that the deposit's status is as read, by `#sequence`, which grows with every change of status. */
export function statusUnchanged(sequence: number | undefined) {
  return sequence === undefined
    ? { condition: 'attribute_not_exists(#sequence)', values: {} }
    : { condition: '#sequence = :seen', values: { ':seen': sequence } };
}
