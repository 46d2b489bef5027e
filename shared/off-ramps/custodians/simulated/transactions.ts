import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { Network } from '#shared/networks/network.ts';
import {
  type Custodian,
  type CustodianTransfer,
  CustodianUnavailable,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { describe } from '#shared/platform/logger.ts';

/** One transfer of a transaction of the simulated chain, and whether the custodian answers for that transaction. */
export interface SimulatedTransfer {
  readonly number: number;
  readonly transfer: Omit<CustodianTransfer, 'createdAt'>;
  readonly isUnavailable: boolean;
}

/**
 * The confirmations from which a transfer is final: the simulated custodian's policy, of the size of those that
 * exchanges ask for. No other custodian has anything to do with it.
 */
export const simulatedMinimums: Readonly<Record<Network, number>> = {
  ETHEREUM: 12,
  POLYGON: 32,
  BASE: 20,
  ARBITRUM: 20,
  OPTIMISM: 20,
  BSC: 15,
  AVALANCHE: 1,
  TRON: 20,
  STELLAR: 1,
  SOLANA: 1,
  SUI: 1,
};

const transaction = z.object({ isUnavailable: z.boolean(), createdAt: instant });

/** Transfers are attributes of the one item of their transaction. */
export function transferAttribute(number: number): string {
  return `transfer${number}`;
}

export function simulatedTransactionId(network: Network, txHash: string): string {
  return `sim:${network}:${txHash}`;
}

export function simulatedTransferId(network: Network, txHash: string, number: number): string {
  return transferIdIn(simulatedTransactionId(network, txHash), number);
}

const transferIdIn = (transactionId: string, number: number) =>
  number === 0 ? transactionId : `${transactionId}:${number}`;

/** `sim:POLYGON:0x…:2` is of `sim:POLYGON:0x…`. */
const transactionOf = (transferId: string) => transferId.split(':').slice(0, 3).join(':');

/** The simulated custodian's id of a token on a network. */
export function simulatedAssetId(network: Network, token: string): string {
  return `${network}:${token}`;
}

/** Transactions of one page of a list. */
const PAGE = 100;

const listed = z.object({ custodianTransferId: z.string() });

/** Where the next page of a list begins: after a transaction, or with a day. */
const position = z.object({
  createdOn: z.string(),
  createdAt: z.optional(z.string()),
  custodianTransferId: z.optional(z.string()),
});

/** The simulated custodian keeps its transactions in a table of its own, which the rest of the service never reads. */
export function simulatedTransactions(
  dynamo: DynamoDBDocumentClient,
  table: string,
): Required<Pick<Custodian, 'findTransfers' | 'findTransfer' | 'listTransfers'>> {
  const read = async (transactionId: string): Promise<Item | undefined> => {
    const get = new GetCommand({
      TableName: table,
      Key: { custodianTransferId: transactionId },
      ConsistentRead: true,
    });
    return (await answered(dynamo.send(get))).Item;
  };
  const find = async (transactionId: string) => {
    const item = await read(transactionId);
    if (item !== undefined && readTransaction(item).isUnavailable) {
      throw new CustodianUnavailable('The simulated custodian does not answer for this transaction.');
    }
    return transfersIn(transactionId, item);
  };
  return {
    findTransfers: ({ network, txHash }) => find(simulatedTransactionId(network, txHash)),

    findTransfer: async ({ custodianTransferId }) =>
      (await find(transactionOf(custodianTransferId))).find((one) => one.custodianTransferId === custodianTransferId),

    /** Without those for which it does not answer: what one client plays with holds up nobody else's list. */
    async listTransfers({ createdSince, until, cursor }) {
      if (createdSince > until) return { transfers: [] };
      const from = cursor === undefined ? { createdOn: dayOf(createdSince) } : position.parse(JSON.parse(cursor));
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'byCreation',
        KeyConditionExpression: 'createdOn = :day AND createdAt BETWEEN :since AND :until',
        ExpressionAttributeValues: { ':day': from.createdOn, ':since': createdSince, ':until': until },
        Limit: PAGE,
        ...(from.createdAt !== undefined && { ExclusiveStartKey: from }),
      });
      const { Items = [], LastEvaluatedKey } = await answered(dynamo.send(query));
      const ids = Items.map((item) => listed.parse(item).custodianTransferId);
      const items = await Promise.all(ids.map(async (id) => ({ id, item: await read(id) })));
      const next = dayAfter(from.createdOn);
      const later = LastEvaluatedKey ?? (next <= dayOf(until) ? { createdOn: next } : undefined);
      const answering = items.filter(({ item }) => item && !readTransaction(item).isUnavailable);
      const transfers = answering.flatMap(({ id, item }) => transfersIn(id, item));
      return { transfers, cursor: later && JSON.stringify(later) };
    },
  };
}

async function answered<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw new CustodianUnavailable(describe(error), { cause: error });
  }
}

const dayOf = (time: string) => time.slice(0, 'yyyy-mm-dd'.length);

const dayAfter = (day: string) => dayOf(new Date(Date.parse(day) + 24 * 3600 * 1000).toISOString());

function readTransaction(item: Item): z.infer<typeof transaction> {
  const { data } = transaction.safeParse(item);
  if (data === undefined) throw new CustodianUnavailable('The simulated custodian has an unreadable transaction.');
  return data;
}

/** Whoever asked reads the transfers, each for itself (decisions.md 12, Boundary). */
function transfersIn(transactionId: string, item: Item | undefined): readonly CustodianTransfer[] {
  if (item === undefined) return [];
  const { createdAt } = readTransaction(item);
  const numbers = Array.from({ length: MOST_TRANSFERS }, (_, number) => number);
  return numbers.flatMap((number) => {
    const transfer = item[transferAttribute(number)];
    const custodianTransferId = transferIdIn(transactionId, number);
    return transfer === undefined ? [] : [counted({ ...Object(transfer), custodianTransferId, createdAt })];
  });
}

/** What was put as confirmed is so with enough confirmations only. */
function counted(transfer: CustodianTransfer): CustodianTransfer {
  const { state, network, confirmations = 0 } = transfer;
  const requiredConfirmations = simulatedMinimums[network];
  const isEarly = state === 'CONFIRMED' && confirmations < requiredConfirmations;
  return { ...transfer, requiredConfirmations, ...(isEarly && { state: 'UNCONFIRMED' }) };
}

/** Transfers that one transaction of the simulated chain holds at most; the first is number 0. */
export const MOST_TRANSFERS = 10;
