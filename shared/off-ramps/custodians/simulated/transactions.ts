import { type DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isSameAddress, type Network } from '#shared/networks/network.ts';
import {
  type Custodian,
  type CustodianTransfer,
  CustodianUnavailable,
  custodianTransfer,
  type ListTransfers,
} from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { batchGet } from '#shared/platform/dynamodb/batch-get.ts';
import type { Item } from '#shared/platform/dynamodb/client.ts';
import { instant } from '#shared/platform/http/fields.ts';
import { describe } from '#shared/platform/logger.ts';
import { simulatedAccount } from './simulated-custodian-deployment.ts';

/** One transfer of a transaction of the simulated chain, and whether the custodian answers for that transaction. */
export interface SimulatedTransfer {
  readonly number: number;
  readonly transfer: Omit<CustodianTransfer, 'createdAt'>;
  readonly isUnavailable: boolean;
}

/**
 * The confirmations from which a transfer is final: the simulated custodian's policy, similar to what exchanges
 * require. No other custodian uses these numbers.
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

const fromSomebody = z.pick(custodianTransfer, { network: true, fromAddress: true });

const transaction = z.object({ isUnavailable: z.boolean(), createdAt: instant });

/** The name of a transfer's attribute: a transaction is one item, and each of its transfers is an attribute. */
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

/** The transfer `sim:POLYGON:0x…:2` belongs to the transaction `sim:POLYGON:0x…`. */
const transactionOf = (transferId: string) => transferId.split(':').slice(0, 3).join(':');

/** The simulated custodian's id of a token on a network. */
export function simulatedAssetId(network: Network, token: string): string {
  return `${network}:${token}`;
}

/**
 * Transactions in one page of a list. Not fewer, because the local AWS searches a whole index for each page. Not more,
 * because an operator exports a page as the answer of a Lambda, of 6 MB at most: a transaction of ten transfers takes
 * 7 kB.
 */
const PAGE = 500;

/** The most keys of one batch. */
const MOST_KEYS = 100;

const listed = z.object({ custodianTransferId: z.string() });

/** Where the next page of a list begins: after a transaction, or with a day. */
const position = z.object({
  createdOn: z.string(),
  createdAt: z.optional(z.string()),
  custodianTransferId: z.optional(z.string()),
});

/** Reads the simulated custodian's own table, which the rest of the service never reads. */
export function simulatedTable(dynamo: DynamoDBDocumentClient, table: string, clock: Clock) {
  const read = async (id: string): Promise<Item | undefined> => {
    const get = new GetCommand({ TableName: table, Key: { custodianTransferId: id }, ConsistentRead: true });
    const { Item } = await wrapTableErrors(dynamo.send(get));
    if (!answers(Item)) {
      throw new MarkedUnavailable('The simulated custodian does not answer for this transaction.');
    }
    return Item;
  };
  return {
    /** @throws {CustodianUnavailable} also for a transaction that a client has marked as unavailable */
    read,

    /** Leaves out transactions marked as unavailable, so that one client's test does not block anybody else's list. */
    async list({ createdSince, until, cursor }: Parameters<ListTransfers>[0]) {
      if (createdSince > until) return { items: [], cursor: undefined };
      const from = cursor === undefined ? { createdOn: dayOf(createdSince) } : position.parse(JSON.parse(cursor));
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'byCreation',
        KeyConditionExpression: 'createdOn = :day AND createdAt BETWEEN :since AND :until',
        ExpressionAttributeValues: { ':day': from.createdOn, ':since': createdSince, ':until': until },
        Limit: PAGE,
        ...(from.createdAt !== undefined && { ExclusiveStartKey: from }),
      });
      const { Items = [], LastEvaluatedKey } = await wrapTableErrors(dynamo.send(query));
      const ids = Items.map((item) => listed.parse(item).custodianTransferId);
      const keys = ids.map((custodianTransferId) => ({ custodianTransferId }));
      const found: (Item | undefined)[] = [];
      for await (const group of inGroups(keys, MOST_KEYS))
        found.push(...(await wrapTableErrors(batchGet(dynamo, clock, table, group))));
      const items = ids.map((id, place) => ({ id, item: answers(found[place]) ? found[place] : undefined }));
      const next = dayAfter(from.createdOn);
      const later = LastEvaluatedKey ?? (next <= dayOf(until) ? { createdOn: next } : undefined);
      return { items, cursor: later && JSON.stringify(later) };
    },
  };
}

/** True if the custodian answers for a transaction. */
function answers(item: Item | undefined): boolean {
  return item === undefined || !readTransaction(item).isUnavailable;
}

/** Reads the transfers of the simulated chain. */
export function simulatedTransactions(
  dynamo: DynamoDBDocumentClient,
  table: string,
  clock: Clock,
): Required<Pick<Custodian, 'findTransfers' | 'findTransfer' | 'listTransfers'>> {
  const { read, list } = simulatedTable(dynamo, table, clock);
  const find = async (transactionId: string) => transfersIn(transactionId, await read(transactionId));
  return {
    findTransfers: ({ network, txHash }) => find(simulatedTransactionId(network, txHash)),

    findTransfer: async ({ custodianTransferId }) =>
      (await find(transactionOf(custodianTransferId))).find((one) => one.custodianTransferId === custodianTransferId),

    listTransfers: async (query) => {
      const { items, cursor } = await list(query);
      return { transfers: items.flatMap(({ id, item }) => transfersIn(id, item)), cursor };
    },
  };
}

/** Returns `undefined` for a transaction marked as unavailable. @throws {CustodianUnavailable} for any other reason */
export async function undefinedIfMarked<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof MarkedUnavailable) return undefined;
    throw error;
  }
}

/** The custodian does not answer, because a client has asked for that. */
export class MarkedUnavailable extends CustodianUnavailable {}

export async function wrapTableErrors<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    throw new CustodianUnavailable(describe(error), { cause: error });
  }
}

export const dayOf = (time: string) => time.slice(0, 'yyyy-mm-dd'.length);

const dayAfter = (day: string) => dayOf(new Date(Date.parse(day) + 24 * 3600 * 1000).toISOString());

function readTransaction(item: unknown): z.infer<typeof transaction> {
  const { data } = transaction.safeParse(item);
  if (data === undefined) throw new CustodianUnavailable('The simulated custodian has an unreadable transaction.');
  return data;
}

/** Returns the transfers of an item unparsed: the caller parses each on its own (decisions.md 12, Boundary). */
export function transfersIn(transactionId: string, item: unknown): readonly CustodianTransfer[] {
  if (item === undefined) return [];
  const { createdAt } = readTransaction(item);
  const numbers = Array.from({ length: MOST_TRANSFERS }, (_, number) => number);
  return numbers.flatMap((number) => {
    const transfer: unknown = Object(item)[transferAttribute(number)];
    const custodianTransferId = transferIdIn(transactionId, number);
    return transfer === undefined ? [] : [counted({ ...Object(transfer), custodianTransferId, createdAt })];
  });
}

/** Adds the custodian's rules: a transfer put as CONFIRMED is UNCONFIRMED until it has enough confirmations. */
function counted(transfer: CustodianTransfer): CustodianTransfer {
  const { state, network: of, confirmations = 0 } = transfer;
  const requiredConfirmations = simulatedMinimums[of];
  const isEarly = state === 'CONFIRMED' && confirmations < requiredConfirmations;
  return {
    ...transfer,
    requiredConfirmations,
    ...(isEarly && { state: 'UNCONFIRMED' }),
    ...(isFromAccount(transfer) && { isFromCustodian: true }),
  };
}

/** True if the transfer comes from the custodian's own account; false if its sender cannot be read. */
function isFromAccount({ network: of, fromAddress }: CustodianTransfer): boolean {
  const { data } = fromSomebody.safeParse({ network: of, fromAddress });
  return data !== undefined && isSameAddress(data.network, data.fromAddress, simulatedAccount(data.network));
}

/** The most transfers of one transaction of the simulated chain; the first is number 0. */
export const MOST_TRANSFERS = 10;
