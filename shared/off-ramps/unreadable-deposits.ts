import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Clock } from '#shared/platform/clock.ts';
import { firstItemsOfShards } from '#shared/platform/dynamodb/sharded-entries.ts';
import { deposit } from './deposit.ts';

const UNREADABLE = deposit.shape.unreadable.def.innerType.def.values;

/** Milliseconds. A fault of the custodian may pass before somebody has to ask it. */
const LISTED_AFTER = 3600_000;

const indexEntry = z.object({ custodianTransferId: z.string(), unreadableSince: z.string() });

/** Of one that could never be read no more may be known than its id. */
const unreadableDeposit = z.partial(deposit, {
  network: true,
  txHash: true,
  firstNotifiedAt: true,
  lastNotifiedAt: true,
});

/** Transfers of which the custodian's answer has not been readable for an hour, the longest first, at most 100. */
export function createListUnreadable(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  return (since: string, most: number) =>
    firstItemsOfShards(dynamo, clock, table, {
      index: 'unreadable',
      keys: ['unreadable', 'unreadableSince'],
      shards: UNREADABLE,
      since,
      upTo: new Date(clock.now().getTime() - LISTED_AFTER).toISOString(),
      most,
      entry: indexEntry,
      atOf: ({ unreadableSince }) => unreadableSince,
      keyOf: ({ custodianTransferId }) => ({ custodianTransferId }),
      item: unreadableDeposit,
    });
}

export type ListUnreadable = ReturnType<typeof createListUnreadable>;
