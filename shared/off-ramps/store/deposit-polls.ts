import { isDeepStrictEqual } from 'node:util';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { createSendMessage } from '#shared/platform/aws/messages.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { assignments, itemInTheWay, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { dueQueue } from '#shared/platform/dynamodb/due-queue.ts';
import { shardOf, shards } from '#shared/platform/dynamodb/index-entries.ts';
import { retryOnConflict, type TransactionLeg, transact } from '#shared/platform/dynamodb/transaction.ts';

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

const depositPoll = z.object({ custodianTransferId: z.string(), nextPollAt: z.string() });

/**
 * The next poll of a deposit, or of a hash that is looked for. Its time identifies it: the result of a poll that is no
 * longer the next one is not recorded.
 */
export type DepositPoll = z.infer<typeof depositPoll>;

const duePoll = z.extend(depositPoll, { dueAt: z.string() });

/** A deposit, or a hash that is looked for, that has a poll to come. */
export type DuePoll = z.infer<typeof duePoll>;

/** A polled item, as it was read for the poll. */
export type Polled = DepositPoll & {
  readonly creditedTo?: string | undefined;
  readonly sequence?: number | undefined;
  /** Somebody has settled it: what a poll finds then is in no list. */
  readonly settled?: unknown;
  /** Of a search, which may be renewed while it is polled. */
  readonly endsAt?: string | undefined;
};

export function createDepositPolls(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    ...dueQueue(dynamo, table, clock, {
      shard: 'dueShard',
      entry: duePoll,
      item: depositPoll,
      keyOf: ({ custodianTransferId }: Pick<DuePoll, 'custodianTransferId' | 'dueAt'>) => ({ custodianTransferId }),
    }),

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
      const none = { nextPollAt: undefined, dueAt: undefined, dueShard: undefined };
      const written = { ...change, ...(next ? pollTimes(custodianTransferId, next.nextPollAt, next.dueAt) : none) };
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

/** What an item has while it has a poll to come. When no message is on its way, the sweep sends one at the time of the poll. */
export function pollTimes(custodianTransferId: string, nextPollAt: string, dueAt = nextPollAt) {
  return { nextPollAt, dueAt, dueShard: dueShardOf(custodianTransferId) };
}

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
  const send = createSendMessage(sqs, queueUrl);
  return ({ custodianTransferId, nextPollAt }, delaySeconds) => {
    const clientId = searcherOf(custodianTransferId);
    const group = clientId === undefined ? 'deposits' : `hashes#${clientId}`;
    return send({ custodianTransferId, nextPollAt }, group, delaySeconds);
  };
}

/** The condition that the status of a deposit is the one that was read: `#sequence` counts its statuses. */
export function statusAsRead(sequence: number | undefined) {
  return sequence === undefined
    ? { condition: 'attribute_not_exists(#sequence)', values: {} }
    : { condition: '#sequence = :seen', values: { ':seen': sequence } };
}
