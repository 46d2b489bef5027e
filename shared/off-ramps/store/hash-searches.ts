import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Network, network, txHash } from '#shared/networks/network.ts';
import { OUTAGE_GRACE_SECONDS } from '#shared/off-ramps/model/poll-schedule.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments, incrementUpTo } from '#shared/platform/dynamodb/conditional-write.ts';
import {
  retryOnConflict,
  type TransactionLeg,
  transact,
  WriteConflict,
} from '#shared/platform/dynamodb/transaction.ts';
import { describe, log } from '#shared/platform/logger.ts';
import { HASH_PREFIX, pollTimes, REPORTS_PREFIX, searcherOf } from './deposit-polls.ts';

/** Milliseconds of the search after each report (decisions.md 4, A report that loses). */
const SEARCHED_FOR = 24 * 3600 * 1000;

/** Milliseconds of the longest search, however often the hash is reported. */
const LONGEST_SEARCH = 7 * SEARCHED_FOR;

/** Milliseconds. A poll that is due within this time is not made due at once. */
const SOON = 60_000;

/** How often reports may make a poll of one search due at once. */
const MOST_HURRIED = 5;

export const hashSearch = z.object({
  /** The table's key: `HASH#{clientId}#{network}#{txHash}`. */
  custodianTransferId: z.string(),
  network,
  txHash,
  startsAt: z.string(),
  endsAt: z.string(),
  nextPollAt: z.optional(z.string()),
  /** The time of the last poll, or of the start before the first one. */
  lastDueAt: z.optional(z.string()),
  /** How often a report has made a poll due at once. */
  hurried: z.optional(z.int()),
});

/** A search: the custodian is asked for the transfers of a transaction, whichever operation they belong to. */
export type HashSearch = z.infer<typeof hashSearch>;

interface SearchedHash {
  /** The reporting client, `operators` or `custodian`: each has its own searches, which no other one changes. */
  readonly clientId: string;
  readonly network: Network;
  readonly txHash: string;
}

/** The declared hash of a client's operation, if any. */
type Declared = Omit<SearchedHash, 'txHash'> & { readonly txHash?: string | undefined };

/** Takes the place of the client's id for operators, who search by a command. */
export const OPERATORS = 'operators';

/** Takes the place of the client's id for custodians, which may notify a transaction without its transfers. */
export const CUSTODIAN = 'custodian';

/** The searchers that are not clients: each has a shard of polls of its own. */
export const SEARCHERS_BESIDE_CLIENTS = [OPERATORS, CUSTODIAN] as const;

/** True for a search whose transfers count as notified, because a custodian named their transaction. */
export function isNotified({ custodianTransferId }: HashSearch): boolean {
  return custodianTransferId.startsWith(`${HASH_PREFIX}${CUSTODIAN}#`);
}

/** The client whose search this is; `undefined` for a search of operators or custodians. */
export function reportingClientOf({
  custodianTransferId,
}: Pick<HashSearch, 'custodianTransferId'>): string | undefined {
  const reporter = searcherOf(custodianTransferId);
  return SEARCHERS_BESIDE_CLIENTS.some((other) => other === reporter) ? undefined : reporter;
}

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

  /** The leg that starts a search, or extends a running one. It fails when the running search was polled meanwhile. */
  const startLeg = async (hash: SearchedHash, now: Date): Promise<TransactionLeg> =>
    startSearch(table, await find(searchIdOf(hash)), hash, now);

  return {
    find,

    /** The leg that searches for a released hash, if there is one and it does not stay declared. */
    async takeOver({ clientId, network, txHash }: Declared, now: Date, staying?: string) {
      const isReleased = txHash !== undefined && txHash !== staying;
      return isReleased ? { search: await startLeg({ clientId, network, txHash }, now) } : {};
    },

    /** Starts or extends a search in a write of its own, and returns the search. @throws {ConflictPersists} */
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

/** The leg of a new search, due at once. Its item expires after the last poll, even if an outage delays that. */
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

/** The leg that extends the search to a day from now, and makes a distant poll due now. */
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

/* Counts of reports, which limit these searches (decisions.md 4, A report that loses). */

/** Further reports of one operation that are searched for in a UTC day. */
const MOST_FURTHER = 10;

/** The number of refused reports of one client in an hour that raises the alarm. */
const TOO_MANY_REFUSED = 101;

/** Seconds. A count expires a day after its period. */
const DAY = 24 * 3600;

export const reportCount = z.object({ count: z.int() });

/** Counts in separate items: only one client's reports write each of them, so no other writer waits. */
function createCount(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  /** The new count; `undefined`, and nothing is written, at the limit. */
  return async (of: string, most: number, now: Date): Promise<number | undefined> => {
    const { isCounted, item } = await incrementUpTo(dynamo, clock, most, {
      table,
      key: { custodianTransferId: `${REPORTS_PREFIX}${of}` },
      name: 'count',
      expiresAt: Math.ceil(now.getTime() / 1000) + 2 * DAY,
    });
    return isCounted ? reportCount.parse(item).count : undefined;
  };
}

/** Limits reports that begin no attempt: for ended operations, and of the hash that is being verified. */
export function createFurtherReports(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const count = createCount(dynamo, table, clock);
  return {
    /** True if one more hash may be searched for today under this name, which is an operation's id or contains one. */
    maySearch: async (counted: string, now: Date): Promise<boolean> =>
      (await count(`${counted}#${now.toISOString().slice(0, 'yyyy-mm-dd'.length)}`, MOST_FURTHER, now)) !== undefined,
  };
}

export type FurtherReports = ReturnType<typeof createFurtherReports>;

/** Counts reports that are refused because another operation has declared the hash. */
export function createRefusedReports(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const count = createCount(dynamo, table, clock);
  return {
    /** Alerts operators once an hour about a client that may be probing. A failed count is ignored. */
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
