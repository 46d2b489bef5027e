import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments, unlessConditionFails, updateItem } from '#shared/platform/dynamodb/conditional-write.ts';
import { retryOnConflict, type TransactionLeg, transact } from '#shared/platform/dynamodb/transaction.ts';
import { instant } from '#shared/platform/http/fields.ts';
import type { PoolLevel } from './custodian.ts';

export const pooledAddress = z.object({ address: z.string(), tag: z.optional(z.string()) });

export type PooledAddress = Readonly<z.infer<typeof pooledAddress>>;

/** An address that is not assigned yet. */
export const freeEntry = z.extend(pooledAddress, {
  entry: z.string(),
  /** The networks on which it is ready; the stage may have added others since. */
  networks: z.array(z.string()),
  vaultId: z.optional(z.string()),
});

export type FreeEntry = Readonly<z.infer<typeof freeEntry>>;

/** An address that is being made. Its id is also its name at the custodian. */
export const unfinishedEntry = z.object({
  id: z.string(),
  /** How often a run has worked on it. */
  tries: z.int(),
  begunAt: instant,
  workedAt: instant,
  /** Its account at the custodian, once known. */
  vaultId: z.optional(z.string()),
});

export type UnfinishedEntry = Readonly<z.infer<typeof unfinishedEntry>>;

/** The result of the last count of a pool. */
export const poolState = z.object({
  /** The period for which the addresses that clients take are counted. */
  period: z.string(),
  /** The most addresses that one client may take in the period. */
  perClient: z.int(),
  /** The most that one client may take in the period when no address above half of the pool is left. */
  ofHalf: z.int(),
  /** The addresses above half of the pool, which all clients share in the period. */
  aboveHalf: z.int(),
  /** The time since which less than half of the pool is free. */
  scarceSince: z.optional(z.string()),
});

/** Prefixes of the keys of a pool's entries. */
export const FREE = 'FREE#';
const MAKING = 'MAKING#';

/** The entry with the last count of a pool. */
export const POOL_STATE = 'STATE';

/** The transaction leg that puts an entry; it fails if the entry exists. */
export function putEntry(table: string, item: Readonly<Record<string, unknown>>): TransactionLeg {
  return { Put: { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(entry)' } };
}

/** The transaction leg that removes an entry; it fails if the entry is gone. */
export function removeEntry(table: string, pool: string, entry: string): TransactionLeg {
  return { Delete: { TableName: table, Key: { pool, entry }, ConditionExpression: 'attribute_exists(entry)' } };
}

/**
 * Stores pools of deposit addresses that are made ahead of time (decisions.md 12, Addresses), for the code that fills
 * them. A pool has entries `FREE#…` and, while an address is being made, `MAKING#…`. An address leaves the pool in the
 * write that assigns it to an operation (take-address.ts), and never returns.
 */
export function createAddressPool(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const listEntries = async (pool: string, kind: string) => {
    const found: unknown[] = [];
    const pages = paginateQuery(
      { client: dynamo },
      {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: '#pool = :pool AND begins_with(entry, :kind)',
        ExpressionAttributeNames: { '#pool': 'pool' },
        ExpressionAttributeValues: { ':pool': pool, ':kind': kind },
      },
    );
    for await (const { Items = [] } of pages) found.push(...Items);
    return found;
  };

  return {
    /** Counts the free addresses, and sets what each client may take of them until the next count. */
    async count(
      pool: string,
      size: number,
    ): Promise<{ readonly level: PoolLevel; readonly entries: readonly FreeEntry[] }> {
      const entries = (await listEntries(pool, FREE)).map((item) => freeEntry.parse(item));
      const free = entries.length;
      const now = clock.now().toISOString();
      const get = new GetCommand({ TableName: table, Key: { pool, entry: POOL_STATE }, ConsistentRead: true });
      const { Item } = await dynamo.send(get);
      const half = Math.floor(size / 2);
      const scarceSince = free < half ? ((Item && poolState.parse(Item).scarceSince) ?? now) : undefined;
      // Each client may take a tenth of the last half, until half of the pool is free again.
      const ofHalf = Math.max(1, Math.floor(half / 10));
      const aboveHalf = Math.max(0, free - half);
      const shares = { perClient: Math.max(ofHalf, aboveHalf), ofHalf, aboveHalf };
      const state = { free, size, countedAt: now, period: scarceSince ?? now, ...shares, scarceSince };
      await dynamo.send(new PutCommand({ TableName: table, Item: { pool, entry: POOL_STATE, ...state } }));
      return { level: { pool, free, size }, entries };
    },

    /** Lists the unfinished entries; the entry that was worked on most recently comes last. */
    async listUnfinished(pool: string): Promise<readonly UnfinishedEntry[]> {
      const found = (await listEntries(pool, MAKING)).map((item) => unfinishedEntry.parse(item));
      return found.toSorted((one, other) => one.workedAt.localeCompare(other.workedAt));
    },

    /** Writes a new entry before the first call to the custodian, so that no account made there is forgotten. */
    async begin(pool: string, id: string): Promise<UnfinishedEntry> {
      const now = clock.now().toISOString();
      const begun = { id, tries: 0, begunAt: now, workedAt: now };
      await dynamo.send(new PutCommand({ TableName: table, Item: { pool, entry: `${MAKING}${id}`, ...begun } }));
      return begun;
    },

    /**
     * Changes an unfinished entry. Returns `undefined` and changes nothing when another run has worked on it since it
     * was read.
     */
    async update(
      pool: string,
      seen: UnfinishedEntry,
      changes: Partial<UnfinishedEntry>,
    ): Promise<UnfinishedEntry | undefined> {
      const { expression, names, values } = assignments(changes);
      const update = new UpdateCommand({
        TableName: table,
        Key: { pool, entry: `${MAKING}${seen.id}` },
        UpdateExpression: expression,
        ConditionExpression: 'tries = :seen',
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ':seen': seen.tries },
      });
      const updated = await unlessConditionFails(updateItem(dynamo, clock, update));
      return updated && { ...seen, ...changes };
    },

    /** Turns an unfinished entry into a free address; does nothing when another run was faster. */
    async finish(
      pool: string,
      { id, vaultId }: UnfinishedEntry,
      { address, tag }: PooledAddress,
      networks: readonly string[],
    ): Promise<void> {
      const free = putEntry(table, { pool, entry: `${FREE}${id}`, address, tag, networks, vaultId });
      const making = removeEntry(table, pool, `${MAKING}${id}`);
      await retryOnConflict(clock, () => transact(dynamo, { making, free }));
    },

    /** Makes a free address unfinished again, to prepare it for more networks; does nothing when it has been taken. */
    async reopen(pool: string, { entry, vaultId }: FreeEntry): Promise<void> {
      const [id, now] = [entry.slice(FREE.length), clock.now().toISOString()];
      const begun = { id, tries: 1, begunAt: now, workedAt: now, vaultId };
      const making = putEntry(table, { pool, entry: `${MAKING}${id}`, ...begun });
      await retryOnConflict(clock, () => transact(dynamo, { free: removeEntry(table, pool, entry), making }));
    },
  };
}

export type AddressPool = ReturnType<typeof createAddressPool>;
