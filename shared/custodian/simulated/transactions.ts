import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { CustodianTransfer } from '#shared/domain/deposit-match.ts';
import type { Network } from '#shared/domain/network.ts';
import { fromItem, toItem } from '#shared/dynamodb/client.ts';
import { custodianTransfer } from '#shared/dynamodb/deposits.ts';
import { describe } from '#shared/runtime/logger.ts';
import { CustodianUnavailable, type FindTransfers } from '../custodian.ts';

/** A transaction of the simulated chain; it holds one transfer. */
export type SimulatedTransaction = CustodianTransfer;

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
      return Item ? [fromItem(custodianTransfer, Item)] : [];
    } catch (error) {
      throw new CustodianUnavailable(describe(error), { cause: error });
    }
  };
}
