import { type DynamoDBDocumentClient, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Network, network, txHash } from '#shared/networks/network.ts';
import { OUTAGE_GRACE_SECONDS } from '#shared/off-ramps/model/poll-schedule.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import {
  retryOnConflict,
  type TransactionLeg,
  transact,
  WriteConflict,
} from '#shared/platform/dynamodb/transaction.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { HASH_PREFIX, pollTimes, REPORTS_PREFIX } from './deposit-polls.ts';

/** Milliseconds for which a hash is looked for after each report (decisions.md 4, A report that loses). */
const SEARCHED_FOR = 24 * 3600 * 1000;

/** Milliseconds for which one search goes on at most, however often the hash is reported. */
const LONGEST_SEARCH = 7 * SEARCHED_FOR;

/** Milliseconds. A poll that is to come sooner is not made earlier. */
const SOON = 60_000;

/** How often reports make a poll of one search due at once. */
const MOST_HURRIED = 5;

const hashSearch = z.object({
  /** The table's key: `HASH#{clientId}#{network}#{txHash}`. */
  custodianTransferId: z.string(),
  network,
  txHash,
  startsAt: z.string(),
  endsAt: z.string(),
  nextPollAt: z.optional(z.string()),
  /** How often a report has made a poll due at once. */
  hurried: z.optional(z.int()),
});

/** A transaction whose transfers are looked for at the custodian, for any operation. */
export type HashSearch = z.infer<typeof hashSearch>;

interface SearchedHash {
  /** Who reported it, or `operators`: nobody's reports move the search of another. */
  readonly clientId: string;
  readonly network: Network;
  readonly txHash: string;
}

/** The hash that an operation of its client has declared, if it has. */
type Declared = Omit<SearchedHash, 'txHash'> & { readonly txHash?: string | undefined };

/** Who looks for a hash by a command. */
export const OPERATORS = 'operators';

function searchIdOf({ clientId, network, txHash }: SearchedHash): string {
  return `${HASH_PREFIX}${clientId}#${network}#${txHash}`;
}

export function createHashSearches(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find = async (custodianTransferId: string): Promise<HashSearch | undefined> => {
    const { Item } = await dynamo.send(
      new GetCommand({ TableName: table, Key: { custodianTransferId }, ConsistentRead: true }),
    );
    return Item && hashSearch.parse(Item);
  };

  /** The leg that starts the search for a hash, or renews the one that runs. It fails when that was polled meanwhile. */
  const startLeg = async (hash: SearchedHash, now: Date): Promise<TransactionLeg> =>
    startSearch(table, await find(searchIdOf(hash)), hash, now);

  return {
    find,

    /** The leg, if one is needed, by which a hash is looked for whose declaration is released, unless it is the one that stays. */
    async takeOver({ clientId, network, txHash }: Declared, now: Date, staying?: string) {
      const isReleased = txHash !== undefined && txHash !== staying;
      return isReleased ? { search: await startLeg({ clientId, network, txHash }, now) } : {};
    },

    /** The same by itself; the search as it is then. @throws {ConflictPersists} */
    async start(hash: SearchedHash, now: Date): Promise<HashSearch> {
      await retryOnConflict(clock, async () => {
        const lost = await transact(dynamo, { search: await startLeg(hash, now) });
        if (lost.size > 0) throw new WriteConflict('search');
      });
      const search = await find(searchIdOf(hash));
      if (search === undefined) throw new Error('The search disappeared right after its start.');
      return search;
    },
  };
}

export type HashSearches = ReturnType<typeof createHashSearches>;

function startSearch(table: string, seen: HashSearch | undefined, hash: SearchedHash, now: Date): TransactionLeg {
  return seen !== undefined && isRunning(seen, now) ? renewed(table, seen, now) : begun(table, seen, hash, now);
}

function isRunning({ startsAt, nextPollAt }: HashSearch, now: Date): boolean {
  return nextPollAt !== undefined && now.getTime() < Date.parse(startsAt) + LONGEST_SEARCH;
}

/** Due at once; expires after the last poll, even one that an outage has delayed. */
function begun(table: string, over: HashSearch | undefined, hash: SearchedHash, now: Date): TransactionLeg {
  const custodianTransferId = searchIdOf(hash);
  const startsAt = now.toISOString();
  const { network, txHash } = hash;
  const search = { custodianTransferId, network, txHash, startsAt } satisfies Partial<HashSearch>;
  const due = { ...pollTimes(custodianTransferId, startsAt), lastDueAt: startsAt };
  return {
    Put: {
      TableName: table,
      Item: { ...search, ...due, ...endingAt(now.getTime() + SEARCHED_FOR) },
      ...(over === undefined
        ? { ConditionExpression: 'attribute_not_exists(custodianTransferId)' }
        : { ConditionExpression: 'startsAt = :over', ExpressionAttributeValues: { ':over': over.startsAt } }),
    },
  };
}

/** It goes on for a day from now; and what waits for long is looked up now. */
function renewed(table: string, seen: HashSearch, now: Date): TransactionLeg {
  const { custodianTransferId, startsAt, endsAt, nextPollAt = '', hurried = 0 } = seen;
  const end = Math.min(now.getTime() + SEARCHED_FOR, Date.parse(startsAt) + LONGEST_SEARCH);
  const isHurried = hurried < MOST_HURRIED && Date.parse(nextPollAt) > now.getTime() + SOON;
  const at = now.toISOString();
  const { expression, names, values } = assignments({
    ...endingAt(Math.max(end, Date.parse(endsAt))),
    ...(isHurried && { nextPollAt: at, dueAt: at, hurried: hurried + 1 }),
  });
  return {
    Update: {
      TableName: table,
      Key: { custodianTransferId },
      UpdateExpression: expression,
      ConditionExpression: 'startsAt = :startsAt AND #endsAt = :seenEndsAt AND nextPollAt = :seenPollAt',
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: {
        ...values,
        ...{ ':startsAt': startsAt, ':seenEndsAt': endsAt, ':seenPollAt': nextPollAt },
      },
    },
  };
}

function endingAt(end: number) {
  return { endsAt: new Date(end).toISOString(), expiresAt: Math.ceil(end / 1000) + 2 * OUTAGE_GRACE_SECONDS };
}

/** Reports after the end of one operation that are handed over in a day in UTC. */
const MOST_LATE = 10;

/** Reports of one client that lose in an hour, and are one too many. */
const TOO_MANY_REFUSED = 101;

/** Seconds. A count is forgotten a day after it is of no account. */
const DAY = 24 * 3600;

const counted = z.object({ count: z.int() });

/**
 * Counts in items of their own, beside the searches that they bound: each is written as often as one client may report,
 * and no other writer waits for it.
 */
function createCount(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  /** How many it is then; `undefined`, and nothing is written, when there are as many already. */
  return async (of: string, most: number, now: Date): Promise<number | undefined> => {
    const update = new UpdateCommand({
      TableName: table,
      Key: { custodianTransferId: `${REPORTS_PREFIX}${of}` },
      UpdateExpression: 'SET #count = if_not_exists(#count, :none) + :one, expiresAt = :expiresAt',
      ConditionExpression: 'attribute_not_exists(#count) OR #count < :most',
      ExpressionAttributeNames: { '#count': 'count' },
      ExpressionAttributeValues: {
        ...{ ':none': 0, ':one': 1, ':most': most },
        ':expiresAt': Math.ceil(now.getTime() / 1000) + 2 * DAY,
      },
      ReturnValues: 'UPDATED_NEW',
    });
    const written = await unlessConditionFails(updateItem(dynamo, clock, update));
    return written && counted.parse(written.Attributes).count;
  };
}

/** Reports of hashes for operations that have ended. */
export function createLateReports(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const count = createCount(dynamo, table, clock);
  return {
    /** Whether one more of the operation may have its hash looked for today. */
    mayHandOver: async (operationId: string, now: Date): Promise<boolean> =>
      (await count(`${operationId}#${now.toISOString().slice(0, 'yyyy-mm-dd'.length)}`, MOST_LATE, now)) !== undefined,
  };
}

export type LateReports = ReturnType<typeof createLateReports>;

/** Reports that lose because another operation has declared the hash. */
export function createRefusedReports(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const count = createCount(dynamo, table, clock);
  return {
    /** Tells operators once in an hour of a client that may be probing whose hashes these are. A count that fails is none. */
    async count(clientId: string, now: Date): Promise<void> {
      try {
        const hour = now.toISOString().slice(0, 'yyyy-mm-ddThh'.length);
        const refused = await count(`${clientId}#${hour}`, TOO_MANY_REFUSED, now);
        if (refused === TOO_MANY_REFUSED) log.warn('MANY_REPORTS_REFUSED', { clientId });
      } catch (error) {
        log.warn('REPORT_NOT_COUNTED', { clientId, cause: describe(error) });
      }
    },
  };
}

export type RefusedReports = ReturnType<typeof createRefusedReports>;
