import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  type TransactWriteItem,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { network } from '#shared/contracts/fields.ts';
import type { CustodianTransfer } from '#shared/domain/deposit-match.ts';
import { fromItem, toItem } from './client.ts';

/** A transfer that the custodian told us of; the transfer id makes handling it idempotent. */
const deposit = z.object({
  custodianTransferId: z.string(),
  network,
  txHash: z.string(),
  firstNotifiedAt: z.string(),
  creditedTo: z.optional(z.string()),
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
      await dynamo.send(
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

    /** Files a deposit for finance operations; false when it was credited meanwhile: the same item decides that race. */
    async keepAsUnmatched(transfer: CustodianTransfer, now: Date): Promise<boolean> {
      try {
        await dynamo.send(
          new UpdateItemCommand({
            TableName: table,
            Key: toItem({ custodianTransferId: transfer.custodianTransferId }),
            UpdateExpression:
              'SET transfer = :transfer, unmatched = :yes, unmatchedSince = if_not_exists(unmatchedSince, :now)',
            ConditionExpression: 'attribute_not_exists(creditedTo)',
            ExpressionAttributeValues: toItem({
              ':transfer': transfer,
              ':yes': 'UNMATCHED',
              ':now': now.toISOString(),
            }),
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) return false;
        throw error;
      }
    },
  };
}

export type Deposits = ReturnType<typeof depositsIn>;

/** The leg that says whom a deposit was credited to; it is unmatched no longer, and can be credited to nobody else. */
export function creditDeposit(table: string, transfer: CustodianTransfer, operationId: string): TransactWriteItem {
  return {
    Update: {
      TableName: table,
      Key: toItem({ custodianTransferId: transfer.custodianTransferId }),
      UpdateExpression: 'SET creditedTo = :operation, transfer = :transfer REMOVE unmatched, unmatchedSince',
      ConditionExpression: 'attribute_not_exists(creditedTo)',
      ExpressionAttributeValues: toItem({ ':operation': operationId, ':transfer': transfer }),
    },
  };
}
