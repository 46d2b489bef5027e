import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { NotifiedTransfer } from '#shared/off-ramps/custodians/custodian-transfer.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { assignments } from '#shared/platform/dynamodb/assignments.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { unlessConditionFails } from '#shared/platform/dynamodb/condition.ts';
import { indexEntries } from '#shared/platform/dynamodb/index-entries.ts';
import { updateItem } from '#shared/platform/dynamodb/update-item.ts';
import { inGroups } from '#shared/platform/in-groups.ts';
import { isDealtWith } from './deposit.ts';
import { arrivingKeyFor } from './deposit-key.ts';
import { isAwaitedBy } from './deposit-match.ts';
import { type DepositPoll, dueShardOf, lostAfter } from './deposit-polls.ts';
import { createFindDeposit } from './find-deposit.ts';
import type { ExpectedDeposit } from './off-ramp.ts';

/** Sparse: deposits that have been seen and are not final yet. */
const ARRIVING_INDEX = 'arriving';

/** Keys of one call. */
const MOST_READ = 100;

const indexEntry = z.object({ custodianTransferId: z.string() });

export function createDepositStore(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const find = createFindDeposit(dynamo, table);

  return {
    find,

    /**
     * Stores a notified transfer and returns its poll, which is due now. A repeated notification keeps the first time
     * and the state of the deposit.
     */
    async remember(transfer: NotifiedTransfer, now: Date): Promise<DepositPoll> {
      const at = now.toISOString();
      await updateItem(dynamo, clock, new UpdateCommand(remembering(table, transfer, now, { at, notifiedAt: at })));
      return pollOf(transfer, now);
    },

    /**
     * The same of a transfer that was found by its hash at the given time, whenever its transaction was notified;
     * `undefined`, and unchanged, when it was notified or found since then.
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

    /** Of transfers that were found by their hash, those that were not notified or found since then. */
    async notFoundSince<Transfer extends NotifiedTransfer>(
      since: string,
      transfers: readonly Transfer[],
    ): Promise<readonly Transfer[]> {
      const unknown: Transfer[] = [];
      const byId = new Map(transfers.map((transfer) => [transfer.custodianTransferId, transfer]));
      for await (const group of inGroups(byId.values(), MOST_READ)) {
        const keys = group.map(({ custodianTransferId }) => ({ custodianTransferId }));
        const found = await batchGet(dynamo, clock, table, keys);
        const isOlder = (item: Item | undefined) => item === undefined || String(item['lastNotifiedAt'] ?? '') < since;
        unknown.push(...group.filter((_, position) => isOlder(found[position])));
      }
      return unknown;
    },

    /** Keeps the id of a transfer whose notification cannot be read, so that operators find it. One that is known stays as it is. */
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

    /** Whether a deposit that the operation awaits is on its way. */
    async isArrivingFor(expected: ExpectedDeposit): Promise<boolean> {
      const entries = indexEntries(dynamo, table, indexEntry, {
        index: ARRIVING_INDEX,
        condition: 'arrivingAt = :key',
        values: { ':key': arrivingKeyFor(expected) },
      });
      for await (const { custodianTransferId } of entries) {
        const found = await find(custodianTransferId);
        if (!found?.arrivingAt || !found.transfer || isDealtWith(found)) continue;
        if (isAwaitedBy(expected, found.transfer)) return true;
      }
      return false;
    },
  };
}

export type Deposits = ReturnType<typeof createDepositStore>;

function pollOf({ custodianTransferId }: NotifiedTransfer, now: Date): DepositPoll {
  return { custodianTransferId, nextPollAt: now.toISOString() };
}

/** When a transfer was found, and when its transaction was notified, if it was. */
interface Found {
  readonly at: string;
  readonly notifiedAt?: string | undefined;
}

function remembering(
  table: string,
  { custodianTransferId, network, txHash }: NotifiedTransfer,
  now: Date,
  { at, notifiedAt }: Found,
) {
  const nextPollAt = now.toISOString();
  const due = { nextPollAt, dueAt: lostAfter(now), dueShard: dueShardOf(custodianTransferId) };
  const { expression, names, values } = assignments(
    { network, txHash, lastNotifiedAt: at, ...(notifiedAt !== undefined && { notifiedAt }), ...due },
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
