import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type Network, network } from '#shared/networks/network.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import type { TransactionLeg } from '#shared/platform/dynamodb/transaction.ts';
import { retryOnTransactionConflict } from '#shared/platform/dynamodb/update-item.ts';
import { dueShardOf, HASH_PREFIX } from './deposit-polls.ts';
import { OUTAGE_GRACE_SECONDS } from './poll-schedule.ts';

/** Seconds for which a hash is looked for (decisions.md 4, A report that loses). */
const SEARCH_SECONDS = 24 * 3600;

/** Seconds: within this time a search is not started again, however often the hash is reported. */
const REPORT_INTERVAL = 60;

const hashSearch = z.object({
  /** The table's key: `HASH#{network}#{txHash}`. */
  custodianTransferId: z.string(),
  network,
  txHash: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  nextPollAt: z.optional(z.string()),
});

/** A transaction whose transfers are looked for at the custodian, for any operation. */
export type HashSearch = z.infer<typeof hashSearch>;

interface TransactionHash {
  readonly network: Network;
  readonly txHash: string;
}

/** The leg that starts the search for a hash. */
export function startHashSearch(table: string, hash: TransactionHash, now: Date): TransactionLeg {
  return { Put: { TableName: table, Item: searchFrom(hash, now) } };
}

export function createHashSearches(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return {
    /** Starts a search, unless one was started within the last minute. */
    async start(hash: TransactionHash, now: Date): Promise<void> {
      const put = new PutCommand({
        TableName: table,
        Item: searchFrom(hash, now),
        ConditionExpression: 'attribute_not_exists(custodianTransferId) OR lastDueAt <= :before',
        ExpressionAttributeValues: {
          ':before': new Date(now.getTime() - REPORT_INTERVAL * 1000).toISOString(),
        },
      });
      await unlessConditionFails(retryOnTransactionConflict(clock, () => dynamo.send(put)));
    },

    async find(custodianTransferId: string): Promise<HashSearch | undefined> {
      const { Item } = await dynamo.send(
        new GetCommand({ TableName: table, Key: { custodianTransferId }, ConsistentRead: true }),
      );
      return Item && hashSearch.parse(Item);
    },
  };
}

export type HashSearches = ReturnType<typeof createHashSearches>;

/** Due at once; expires after the last poll, even one that an outage has delayed. */
function searchFrom({ network, txHash }: TransactionHash, now: Date): Item {
  const custodianTransferId = `${HASH_PREFIX}${network}#${txHash}`;
  const startsAt = now.toISOString();
  const endsAt = new Date(now.getTime() + SEARCH_SECONDS * 1000);
  const search: HashSearch = { custodianTransferId, network, txHash, startsAt, endsAt: endsAt.toISOString() };
  return {
    ...search,
    nextPollAt: startsAt,
    dueAt: startsAt,
    dueShard: dueShardOf(custodianTransferId),
    lastDueAt: startsAt,
    expiresAt: Math.ceil(endsAt.getTime() / 1000) + 2 * OUTAGE_GRACE_SECONDS,
  };
}
