import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  type CustodianTransfer,
  type FoundTransfer,
  isReadable,
  type NotifiedTransfer,
} from '#shared/off-ramps/custodians/custodian.ts';
import {
  arrivingKeyFor,
  type Deposit,
  type DepositStatus,
  deposit,
  depositStatusOf,
  isDealtWith,
  transferAttributes,
  transferOf,
} from '#shared/off-ramps/model/deposit.ts';
import { isAwaitedBy } from '#shared/off-ramps/model/deposit-match.ts';
import type { ExpectedDeposit } from '#shared/off-ramps/model/off-ramp.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { messageLostAt } from '#shared/platform/dynamodb/due-queue.ts';
import { queryIndex } from '#shared/platform/dynamodb/index-entries.ts';
import { type DepositPoll, isDepositKey, pollTimes } from './deposit-polls.ts';

/** Sparse: deposits that were seen and are not final yet. */
const ARRIVING_INDEX = 'arriving';

/** The most deposits that one batch reads. */
const MOST_READ = 100;

const indexEntry = z.object({ custodianTransferId: z.string() });

export function createDepositRepository(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find = createFindDeposit(dynamo, table);

  /** Selects transfers that are not stored, and those last notified before `since` for which `isAskedFor` is true. */
  const olderThan = async <Transfer extends FoundTransfer>(
    since: string,
    transfers: readonly Transfer[],
    isAskedFor: (item: Item, transfer: Transfer) => boolean,
  ): Promise<readonly Transfer[]> => {
    const unknown: Transfer[] = [];
    const byId = new Map(transfers.map((transfer) => [transfer.custodianTransferId, transfer]));
    for await (const group of inGroups(byId.values(), MOST_READ)) {
      const keys = group.map(({ custodianTransferId }) => ({ custodianTransferId }));
      const found = await batchGet(dynamo, clock, table, keys);
      unknown.push(
        ...group.filter((transfer, position) => {
          const item = found[position];
          return item === undefined || (String(item['lastNotifiedAt'] ?? '') < since && isAskedFor(item, transfer));
        }),
      );
    }
    return unknown;
  };

  return {
    find,

    /**
     * Stores a notified transfer and returns its poll, which is due now. A repeated notification keeps the first time
     * and the state of the deposit.
     */
    async remember(transfer: NotifiedTransfer, now: Date): Promise<DepositPoll> {
      const at = now.toISOString();
      await updateItem(dynamo, clock, new UpdateCommand(remembering(table, transfer, now, { at, isNotified: true })));
      return pollOf(transfer, now);
    },

    /**
     * Stores a transfer that a list or a search found, and returns its poll, which is due now. Returns `undefined`, and
     * writes nothing, when the transfer was notified or found since the given time.
     */
    async rememberFound(
      since: string,
      transfer: NotifiedTransfer,
      now: Date,
      found: Found = { at: now.toISOString() },
    ): Promise<DepositPoll | undefined> {
      const { ExpressionAttributeValues, ...update } = remembering(table, transfer, now, found);
      const command = new UpdateCommand({
        ...update,
        ConditionExpression: 'attribute_not_exists(lastNotifiedAt) OR lastNotifiedAt < :since',
        ExpressionAttributeValues: { ...ExpressionAttributeValues, ...{ ':since': since } },
      });
      const written = await unlessConditionFails(updateItem(dynamo, clock, command));
      return written && pollOf(transfer, now);
    },

    /** Selects the transfers that were not notified or found since the given time. */
    notFoundSince: <Transfer extends FoundTransfer>(since: string, transfers: readonly Transfer[]) =>
      olderThan(since, transfers, () => true),

    /**
     * Selects the transfers with news: not notified or found since the given time, and changed since they were last seen
     * or notified for the first time now.
     */
    newsSince: <Transfer extends FoundTransfer>({ at, isNotified }: Found, transfers: readonly Transfer[]) =>
      olderThan(at, transfers, (item, transfer) => {
        const { data: known } = deposit.safeParse(item);
        return known === undefined || (isNotified && !known.isNotified) || !isKnownAs(transfer, known);
      }),

    /** Stores the id of an unreadable notification's transfer for operators. A known transfer stays as it is. */
    async rememberUnreadable(custodianTransferId: string, unreadableFields: string, now: Date): Promise<void> {
      const at = now.toISOString();
      const { expression, names, values } = assignments(
        { unreadable: 'UNREADABLE', unreadableFields },
        { unreadableSince: at },
      );
      const update = new UpdateCommand({
        TableName: table,
        Key: { custodianTransferId },
        UpdateExpression: expression,
        ConditionExpression: 'attribute_not_exists(txHash)',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: values,
      });
      await unlessConditionFails(updateItem(dynamo, clock, update));
    },

    /** True if a deposit that the operation awaits is on its way. */
    async isArrivingFor(expected: ExpectedDeposit): Promise<boolean> {
      const entries = queryIndex(dynamo, table, indexEntry, {
        index: ARRIVING_INDEX,
        condition: 'arrivingAt = :key',
        values: { ':key': arrivingKeyFor(expected) },
      });
      for await (const { custodianTransferId } of entries) {
        const found = await find(custodianTransferId);
        const transfer = found && transferOf(found);
        if (!found?.arrivingAt || !transfer || isDealtWith(found)) continue;
        if (isAwaitedBy(expected, transfer)) return true;
      }
      return false;
    },
  };
}

export type Deposits = ReturnType<typeof createDepositRepository>;

function pollOf({ custodianTransferId }: NotifiedTransfer, now: Date): DepositPoll {
  return { custodianTransferId, nextPollAt: now.toISOString() };
}

/** When a transfer was found, and whether its transaction was notified. */
export interface Found {
  readonly at: string;
  readonly isNotified?: true | undefined;
}

function remembering(
  table: string,
  { custodianTransferId, network, txHash }: NotifiedTransfer,
  now: Date,
  { at, isNotified }: Found,
) {
  const due = pollTimes(custodianTransferId, now.toISOString(), messageLostAt(now));
  const { expression, names, values } = assignments(
    { network, txHash, lastNotifiedAt: at, ...(isNotified && { isNotified }), ...due },
    { firstNotifiedAt: at },
  );
  return {
    TableName: table,
    Key: { custodianTransferId },
    UpdateExpression: expression,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}

/** Reads a deposit. Skips items with only an id, from an unreadable notification, and searches for a hash. */
export function createFindDeposit(dynamo: DynamoDBDocumentClient, table: string) {
  return async (custodianTransferId: string): Promise<Deposit | undefined> => {
    if (!isDepositKey(custodianTransferId)) return undefined;
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { custodianTransferId }, ConsistentRead: true }),
    );
    return Item?.['network'] === undefined ? undefined : deposit.parse(Item);
  };
}

/**
 * Removes a transfer from the list `unreadable` and stops its polls, if it was never readable or is no longer polled;
 * false if there is no such transfer. A running poll records nothing. Another notification starts it afresh.
 */
export type GiveUpUnreadable = (custodianTransferId: string) => Promise<boolean>;

export function createGiveUpUnreadable(dynamo: DynamoDBDocumentClient, table: string, clock: Clock): GiveUpUnreadable {
  return async (custodianTransferId) => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: 'REMOVE unreadable, unreadableSince, unreadableFields, nextPollAt, dueAt, dueShard',
      // A transfer that was readable once is a deposit, and is polled until its watch ends.
      ConditionExpression:
        'attribute_exists(unreadable) AND (attribute_not_exists(#transfer) OR attribute_not_exists(nextPollAt))',
      ExpressionAttributeNames: { '#transfer': 'transfer' },
    });
    return (await unlessConditionFails(updateItem(dynamo, clock, update))) !== undefined;
  };
}

/** Reads the statuses of any number of deposits, by id. Leaves out unreadable deposits. */
export function createFindDepositStatuses(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return async (ids: readonly string[]): Promise<ReadonlyMap<string, DepositStatus>> => {
    const keys = [...new Set(ids)].map((custodianTransferId) => ({ custodianTransferId }));
    const statuses = (await batchGet(dynamo, clock, table, keys)).flatMap((item) => {
      const { data } = deposit.safeParse(item);
      const status = data && depositStatusOf(data);
      return data === undefined || status === undefined ? [] : [[data.custodianTransferId, status] as const];
    });
    return new Map(statuses);
  };
}

export type FindDepositStatuses = ReturnType<typeof createFindDepositStatuses>;

export type FindDeposit = ReturnType<typeof createFindDeposit>;

/**
 * Stores a transfer that the poll of a reported hash has seen, so that it becomes a deposit without a notification
 * (decisions.md 9): the sweep polls it, unless a poll is planned. An unchanged deposit, or one that is unreadable now,
 * stays as it is.
 */
export function createRememberSeen(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find = createFindDeposit(dynamo, table);
  return async (transfer: FoundTransfer): Promise<void> => {
    const known = await find(transfer.custodianTransferId);
    if (known !== undefined && isKnownAs(transfer, known)) return;
    await updateItem(dynamo, clock, new UpdateCommand(rememberingSeen(table, transfer, clock.now())));
  };
}

export type RememberSeen = ReturnType<typeof createRememberSeen>;

function isKnownAs(transfer: FoundTransfer, { transfer: known }: Deposit): boolean {
  return !isReadable(transfer) || (known !== undefined && hasSameFacts(known, transfer));
}

/** Confirmations alone are no change: they grow until the next poll. */
function hasSameFacts(one: NonNullable<Deposit['transfer']>, other: CustodianTransfer): boolean {
  const facts = ['state', 'toAddress', 'toTag', 'fromAddress', 'assetId', 'amount'] as const;
  return facts.every((fact) => one[fact] === other[fact]);
}

/**
 * Keeps what other writers have planned or found: their message may be on its way, and only a poll changes a status.
 */
function rememberingSeen(table: string, transfer: FoundTransfer, now: Date) {
  const { custodianTransferId, network, txHash } = transfer;
  const at = now.toISOString();
  const { expression, names, values } = assignments(
    { network, txHash, lastNotifiedAt: at },
    {
      firstNotifiedAt: at,
      ...pollTimes(custodianTransferId, at),
      ...(isReadable(transfer) && transferAttributes(transfer)),
    },
  );
  return {
    TableName: table,
    Key: { custodianTransferId },
    UpdateExpression: expression,
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  };
}
