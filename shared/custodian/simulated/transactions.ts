import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { network } from '#shared/contracts/fields.ts';
import type { CustodianTransfer } from '#shared/domain/deposit-match.ts';
import type { Network } from '#shared/domain/network.ts';
import { fromItem, toItem } from '#shared/dynamodb/client.ts';
import { describe } from '#shared/runtime/logger.ts';
import { CustodianUnavailable, type FindTransfers } from '../custodian.ts';

/** A transaction of the simulated chain. */
const simulatedTransaction = z.object({
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

export type SimulatedTransaction = z.infer<typeof simulatedTransaction>;

export function simulatedTransferId(network: Network, txHash: string): string {
  return `sim:${network}:${txHash}`;
}

/** The simulated custodian's id of a token on a network. */
export function simulatedAssetId(network: Network, token: string): string {
  return `${network}:${token}`;
}

/** The simulated custodian keeps its transactions in a table of its own, which the rest of the service never reads. */
export function simulatedFindTransfers(dynamo: DynamoDBClient, table: string): FindTransfers {
  return async ({ network, txHash }): Promise<readonly CustodianTransfer[]> => {
    const Key = toItem({ custodianTransferId: simulatedTransferId(network, txHash) });
    try {
      const { Item } = await dynamo.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }));
      return Item ? [fromItem(simulatedTransaction, Item)] : [];
    } catch (error) {
      throw new CustodianUnavailable(describe(error), { cause: error });
    }
  };
}
