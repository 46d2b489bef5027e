import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Network } from '#shared/networks/network.ts';
import {
  type CustodianTransfer,
  CustodianUnavailable,
  custodianTransfer,
  type FindTransfers,
} from '#shared/off-ramps/custodians/custodian.ts';
import { describe } from '#shared/platform/logger.ts';

/** One transfer of a transaction of the simulated chain, and whether the custodian answers for that transaction. */
export interface SimulatedTransfer {
  readonly number: number;
  readonly transfer: CustodianTransfer;
  readonly isUnavailable: boolean;
}

const availability = z.object({ isUnavailable: z.boolean() });

/** Transfers are attributes of the one item of their transaction. */
export function transferAttribute(number: number): string {
  return `transfer${number}`;
}

export function simulatedTransactionId(network: Network, txHash: string): string {
  return `sim:${network}:${txHash}`;
}

export function simulatedTransferId(network: Network, txHash: string, number: number): string {
  const transactionId = simulatedTransactionId(network, txHash);
  return number === 0 ? transactionId : `${transactionId}:${number}`;
}

/** The simulated custodian's id of a token on a network. */
export function simulatedAssetId(network: Network, token: string): string {
  return `${network}:${token}`;
}

/** The simulated custodian keeps its transactions in a table of its own, which the rest of the service never reads. */
export function simulatedFindTransfers(dynamo: DynamoDBDocumentClient, table: string): FindTransfers {
  const read = async (network: Network, txHash: string) => {
    const Key = { custodianTransferId: simulatedTransactionId(network, txHash) };
    try {
      return await dynamo.send(new GetCommand({ TableName: table, Key, ConsistentRead: true }));
    } catch (error) {
      throw new CustodianUnavailable(describe(error), { cause: error });
    }
  };

  return async ({ network, txHash }): Promise<readonly CustodianTransfer[]> => {
    const { Item } = await read(network, txHash);
    if (Item === undefined) return [];
    if (availability.parse(Item).isUnavailable) {
      throw new CustodianUnavailable('The simulated custodian does not answer for this transaction.');
    }
    const numbers = Array.from({ length: MOST_TRANSFERS }, (_, number) => number);
    return numbers.flatMap((number) => {
      const transfer = Item[transferAttribute(number)];
      return transfer === undefined ? [] : [custodianTransfer.parse(transfer)];
    });
  };
}

/** Transfers that one transaction of the simulated chain holds at most; the first is number 0. */
export const MOST_TRANSFERS = 10;
