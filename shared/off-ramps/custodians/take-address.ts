import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Network } from '#shared/networks/network.ts';
import type { AccountAddress } from '#shared/networks/network-families.ts';
import { type Clock, expiry } from '#shared/platform/clock.ts';
import { incrementUpTo } from '#shared/platform/dynamodb/conditional-write.ts';
import {
  retryOnConflict,
  type TransactionLeg,
  transact,
  WriteConflict,
} from '#shared/platform/dynamodb/transaction.ts';
import { instant } from '#shared/platform/http/fields.ts';
import {
  FREE,
  type FreeEntry,
  freeEntry,
  POOL_STATE,
  type PooledAddress,
  pooledAddress,
  poolState,
  putEntry,
  removeEntry,
} from './address-pool.ts';
import { type AssignDepositAddress, CustodianUnavailable } from './custodian.ts';

export const takenCount = z.object({ taken: z.int() });

/** An address that a user has, with its last operation. */
export const userEntry = z.extend(pooledAddress, { entry: z.string(), operationId: z.string(), takenAt: instant });

/**
 * Days after which no call repeats the creation of an operation any more: an `Idempotency-Key` is valid for one day.
 * The address of an operation is kept for this long; an operation that does not exist by then never will.
 */
const REPEATED_FOR = 2;

/** Free entries that a search reads, from a random place on, so that concurrent callers rarely take the same one. */
const CANDIDATES = 5;

/** The most addresses of a user that are read, and the most whose operation is checked: those taken first. */
const MOST_OF_USER = 100;
const MOST_LOOKED_AT = 5;

/** Seconds: the pool is filled each minute. */
const RETRY_AFTER = 30;

/** This client has taken its share of what is left; other clients can still take theirs. */
class ShareUsedUp extends CustodianUnavailable {
  override get declinedFor() {
    return 'ADDRESS_SHARE_USED';
  }
}

type HasEnded = Parameters<AssignDepositAddress>[0]['hasEnded'];

interface Owner {
  readonly operationId: string;
  readonly clientId: string;
  readonly userId: string;
}

interface Wanted {
  readonly pool: string;
  readonly network: Network;
}

/**
 * Takes an address out of a pool for an operation; a repeat for the same operation gets the same address.
 *
 * @param hasEnded passed for a pool whose addresses cost money: then an address that the user already has is taken
 * first, once its operations have ended
 * @throws {CustodianUnavailable} when no address is free, or when less than half of the pool is free and the client has
 * taken a tenth of that half
 */
export function createTakeAddress(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find = async <Schema extends z.ZodMiniType>(Key: { pool: string; entry: string }, schema: Schema) => {
    const { Item } = await dynamo.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    return Item === undefined ? undefined : schema.parse(Item);
  };

  const freeFrom = async (pool: string, from: string, most: number) => {
    const query = new QueryCommand({
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: '#pool = :pool AND entry BETWEEN :from AND :end',
      ExpressionAttributeNames: { '#pool': 'pool' },
      ExpressionAttributeValues: { ':pool': pool, ':from': from, ':end': AFTER_FREE },
      Limit: most,
    });
    return (await dynamo.send(query)).Items ?? [];
  };

  const giveTo = ({ operationId }: Owner, { address, tag }: PooledAddress) =>
    putEntry(table, { ...operationKey(operationId), address, tag, expiresAt: expiry(clock.now(), REPEATED_FOR) });

  const itemOfUser = (
    owner: Owner,
    pool: string,
    { entry, address, tag }: Pick<FreeEntry, 'entry' | 'address' | 'tag'>,
  ) => ({
    ...{ pool: poolOfUser(owner, pool), entry, address, tag, operationId: owner.operationId },
    takenAt: clock.now().toISOString(),
  });

  /** Takes an address that the user already has and whose operations have all ended. */
  const takeAgain = async (owner: Owner, pool: string, hasEnded: HasEnded): Promise<PooledAddress | undefined> => {
    const items = await freeFrom(poolOfUser(owner, pool), FREE, MOST_OF_USER);
    const own = items.map((item) => userEntry.parse(item)).toSorted((a, b) => a.takenAt.localeCompare(b.takenAt));
    for (const one of own.slice(0, MOST_LOOKED_AT)) {
      if (!((await hasEnded(one.operationId)) ?? isLongAgo(one.takenAt, clock))) continue;
      const user: TransactionLeg = {
        Put: {
          TableName: table,
          Item: itemOfUser(owner, pool, one),
          ConditionExpression: 'operationId = :last',
          ExpressionAttributeValues: { ':last': one.operationId },
        },
      };
      const failedLegs = await transact(dynamo, { user, operation: giveTo(owner, one) });
      if (failedLegs.size > 0) throw new WriteConflict('Another operation of the user took the address.');
      return one;
    }
    return undefined;
  };

  /** Counts one more, up to `most`. Returns the new count; `undefined` when `most` were taken already. */
  const countOne = async (key: { pool: string; entry: string }, most: number): Promise<number | undefined> => {
    const counter = { table, key, name: 'taken', expiresAt: expiry(clock.now(), REPEATED_FOR) };
    const { isCounted, item } = await incrementUpTo(dynamo, clock, most, counter);
    return isCounted ? takenCount.parse(item).taken : undefined;
  };

  /**
   * Counts one more address of the client's share, once there is an address to assign. All clients share the addresses
   * above half of the pool. Of the half itself each client gets its tenth, whatever the others take.
   */
  const countFor = async ({ clientId }: Owner, pool: string): Promise<void> => {
    const state = await find({ pool, entry: POOL_STATE }, poolState);
    if (state === undefined) throw noneFree(pool);
    const { period, perClient, ofHalf, aboveHalf } = state;
    const own = await countOne({ pool, entry: `CLIENT#${clientId}#${period}` }, perClient);
    const isAbove = async () =>
      aboveHalf > 0 && (await countOne({ pool, entry: `ABOVE_HALF#${period}` }, aboveHalf)) !== undefined;
    if (own !== undefined && ((await isAbove()) || own <= ofHalf)) return;
    throw new ShareUsedUp(`The client has used up its share of ${pool}.`, { retryAfter: RETRY_AFTER });
  };

  /** Finds free entries that are ready on the network. @throws {CustodianUnavailable} when there are none */
  const findFree = async ({ pool, network }: Wanted): Promise<readonly FreeEntry[]> => {
    const start = Math.floor(clock.random() * 2 ** 32);
    const found = await freeFrom(pool, `${FREE}${start.toString(16).padStart(8, '0')}`, CANDIDATES);
    const items = found.length > 0 ? found : await freeFrom(pool, FREE, CANDIDATES);
    const candidates = items.map((item) => freeEntry.parse(item)).filter(({ networks }) => networks.includes(network));
    if (candidates.length === 0) throw noneFree(pool);
    return candidates;
  };

  /** @throws {WriteConflict} when other callers took all candidates */
  const takeOneOf = async (
    candidates: readonly FreeEntry[],
    owner: Owner,
    pool: string,
    isForUser: boolean,
  ): Promise<PooledAddress> => {
    for (const free of candidates) {
      const failedLegs = await transact(dynamo, {
        free: removeEntry(table, pool, free.entry),
        operation: giveTo(owner, free),
        ...(isForUser && { user: putEntry(table, itemOfUser(owner, pool, free)) }),
      });
      if (failedLegs.size === 0) return free;
      // A concurrent call for the same operation has taken an address already.
      if (failedLegs.has('operation')) break;
    }
    throw new WriteConflict('Others took the addresses.');
  };

  return async (owner: Owner, wanted: Wanted, hasEnded?: HasEnded): Promise<AccountAddress> => {
    const { pool } = wanted;
    let isCounted = false;
    const taken = await retryOnConflict(clock, async () => {
      const assigned = await find(operationKey(owner.operationId), pooledAddress);
      if (assigned !== undefined) return assigned;
      const again = hasEnded && (await takeAgain(owner, pool, hasEnded));
      if (again !== undefined) return again;
      // Counted only once an address is found: an empty pool must not use up the client's share.
      const free = await findFree(wanted);
      if (!isCounted) await countFor(owner, pool);
      isCounted = true;
      return takeOneOf(free, owner, pool, hasEnded !== undefined);
    });
    return { address: taken.address, ...(taken.tag !== undefined && { tag: taken.tag }) };
  };
}

export type TakeAddress = ReturnType<typeof createTakeAddress>;

const noneFree = (pool: string) =>
  new CustodianUnavailable(`No deposit address of ${pool} is free.`, { retryAfter: RETRY_AFTER });

/** The first text after all that begin with `FREE#`. */
const AFTER_FREE = 'FREE$';

const operationKey = (operationId: string) => ({ pool: `OPERATION#${operationId}`, entry: 'ADDRESS' });

const poolOfUser = ({ userId }: Owner, pool: string) => `USER#${userId}#${pool}`;

function isLongAgo(at: string, clock: Clock): boolean {
  return expiry(new Date(at), REPEATED_FOR) * 1000 < clock.now().getTime();
}
