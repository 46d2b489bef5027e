import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { network } from '#shared/contracts/fields.ts';
import { addressKey } from '#shared/domain/deposit-key.ts';
import { type CustodianTransfer, type ExpectedDeposit, isAwaitedBy } from '#shared/domain/deposit-match.ts';
import { fromItem, toItem } from './client.ts';
import { unlessConditionFails } from './condition.ts';
import { updateItem } from './update-item.ts';

/** Sparse: deposits that have been seen and are not final yet. */
const ARRIVING_INDEX = 'arriving';

/** A custodian's transfer as it is kept in a table. */
export const custodianTransfer = z.object({
  custodianTransferId: z.string(),
  network,
  txHash: z.string(),
  state: z.enum(['UNCONFIRMED', 'CONFIRMED', 'HELD', 'FAILED']),
  toAddress: z.string(),
  toTag: z.optional(z.string()),
  fromAddress: z.string(),
  assetId: z.string(),
  amount: z.string(),
  confirmations: z.int(),
});

/** A transfer that the custodian told us of; the transfer id makes handling it idempotent. */
const deposit = z.object({
  custodianTransferId: z.string(),
  network,
  txHash: z.string(),
  firstNotifiedAt: z.string(),
  creditedTo: z.optional(z.string()),
  /** As last seen; absent until then. */
  transfer: z.optional(custodianTransfer),
});

export type Deposit = z.infer<typeof deposit>;

export function depositsIn(dynamo: DynamoDBClient, table: string) {
  return {
    async find(custodianTransferId: string): Promise<Deposit | undefined> {
      const { Item } = await dynamo.send(
        new GetItemCommand({ TableName: table, Key: toItem({ custodianTransferId }), ConsistentRead: true }),
      );
      return Item && fromItem(deposit, Item);
    },

    /** Keeps a notified transfer; told again, it keeps its first time and what became of it. */
    async remember(
      transfer: Pick<CustodianTransfer, 'custodianTransferId' | 'network' | 'txHash'>,
      now: Date,
    ): Promise<void> {
      await updateItem(
        dynamo,
        new UpdateItemCommand({
          TableName: table,
          Key: toItem({ custodianTransferId: transfer.custodianTransferId }),
          UpdateExpression:
            'SET #network = :network, txHash = :hash, firstNotifiedAt = if_not_exists(firstNotifiedAt, :now), lastNotifiedAt = :now',
          ExpressionAttributeNames: { '#network': 'network' },
          ExpressionAttributeValues: toItem({
            ':network': transfer.network,
            ':hash': transfer.txHash,
            ':now': now.toISOString(),
          }),
        }),
      );
    },

    /** Keeps a transfer that is on its way, so that the operation that awaits it is not cancelled meanwhile. */
    noteArriving: (transfer: CustodianTransfer) =>
      updateUncredited(dynamo, table, transfer.custodianTransferId, {
        expression: 'SET transfer = :transfer, arrivingAt = :address',
        values: { ':transfer': transfer, ':address': addressKey(transfer.network, transfer.toAddress) },
      }),

    /** A transfer that failed on chain, or that the custodian knows no longer, is not on its way. */
    noteGone: (custodianTransferId: string) =>
      updateUncredited(dynamo, table, custodianTransferId, { expression: 'REMOVE arrivingAt', values: {} }),

    /** Whether a deposit that the operation awaits is on its way. */
    async isArrivingFor(expected: ExpectedDeposit): Promise<boolean> {
      const { Items = [] } = await dynamo.send(
        new QueryCommand({
          TableName: table,
          IndexName: ARRIVING_INDEX,
          KeyConditionExpression: 'arrivingAt = :address',
          ExpressionAttributeValues: toItem({ ':address': addressKey(expected.network, expected.address) }),
        }),
      );
      const ids = Items.map((item) => fromItem(indexEntry, item).custodianTransferId);
      const deposits = await Promise.all(ids.map((id) => this.find(id)));
      return deposits.some((one) => one?.transfer !== undefined && isAwaitedBy(expected, one.transfer));
    },

    /** Files a deposit for finance operations; false when it was credited meanwhile: the same item decides that race. */
    keepAsUnmatched: (transfer: CustodianTransfer, now: Date): Promise<boolean> =>
      updateUncredited(dynamo, table, transfer.custodianTransferId, {
        expression:
          'SET transfer = :transfer, unmatched = :yes, unmatchedSince = if_not_exists(unmatchedSince, :now) REMOVE arrivingAt',
        values: { ':transfer': transfer, ':yes': 'UNMATCHED', ':now': now.toISOString() },
      }),
  };
}

export type Deposits = ReturnType<typeof depositsIn>;

/** The leg that says whom a deposit was credited to; it is unmatched no longer, and can be credited to nobody else. */
export function creditDeposit(table: string, transfer: CustodianTransfer, operationId: string): TransactWriteItem {
  return {
    Update: {
      TableName: table,
      Key: toItem({ custodianTransferId: transfer.custodianTransferId }),
      UpdateExpression:
        'SET creditedTo = :operation, transfer = :transfer REMOVE unmatched, unmatchedSince, arrivingAt',
      ConditionExpression: 'attribute_not_exists(creditedTo)',
      ExpressionAttributeValues: toItem({ ':operation': operationId, ':transfer': transfer }),
    },
  };
}

const indexEntry = z.object({ custodianTransferId: z.string() });

/** False when the deposit was credited meanwhile; then nothing was written. */
async function updateUncredited(
  dynamo: DynamoDBClient,
  table: string,
  custodianTransferId: string,
  update: { readonly expression: string; readonly values: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const command = new UpdateItemCommand({
    TableName: table,
    Key: toItem({ custodianTransferId }),
    UpdateExpression: update.expression,
    ConditionExpression: 'attribute_not_exists(creditedTo)',
    ...(Object.keys(update.values).length > 0 && { ExpressionAttributeValues: toItem(update.values) }),
  });
  return (await unlessConditionFails(updateItem(dynamo, command))) !== undefined;
}
