import * as z from 'zod/mini';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { EvmChain } from './evm-chain.ts';
import { type EvmNode, NodeRefused, readResult } from './json-rpc.ts';
import {
  block,
  finalBlock,
  finalNumber,
  headsOf,
  type Log,
  log,
  type Movement,
  movementOf,
  TRANSFER,
  wordOf,
} from './read-logs.ts';
import { blocksAt } from './read-transaction.ts';

/** Transfers of one transaction, as a scan has found them. */
interface FoundTransaction {
  readonly txHash: string;
  readonly block: number;
  readonly isFinal: boolean;
  readonly confirmations: number;
  readonly timestamp: number;
  readonly movements: readonly Movement[];
}

export interface Scan {
  readonly found: readonly FoundTransaction[];
  /** From where the next scan reads: past the final blocks of which all nodes had the same transfers. */
  readonly nextBlock: number;
  /** From where a list goes on that is to be read once; absent when this scan read to the newest block. */
  readonly unreadFrom?: number;
}

/** Up to 5,000 awaited addresses in lists of 500, or all transfers of the contracts, of which some are ours. */
export type Ours =
  | { readonly awaited: readonly string[] }
  | { readonly among: (addresses: readonly string[]) => Promise<ReadonlySet<string>> };

/** The lists of a question, and the blocks of one and of a scan, at most. */
const MOST = { addresses: 500, blocks: 2_000, blocksOfScan: 20_000, headers: 50 };

/**
 * Finds transfers to addresses of ours without anybody's report, from a block on to the newest that all nodes have.
 * What only one node has is found, too, and is not final.
 *
 * @throws {CustodianUnavailable}
 */
export async function scanTransfers(
  chain: EvmChain,
  nodes: readonly [EvmNode, ...EvmNode[]],
  { fromBlock, ours }: { readonly fromBlock: number; readonly ours: Ours },
): Promise<Scan> {
  const heads = await Promise.all(nodes.map((node) => headsOf(chain, node)));
  const newest = Math.min(...heads.map(({ latest }) => latest));
  const toBlock = Math.min(newest, fromBlock + MOST.blocksOfScan - 1);
  if (toBlock < fromBlock) return { found: [], nextBlock: fromBlock };

  const ofNodes = await Promise.all(nodes.map((node) => logsBetween(chain, node, fromBlock, toBlock, ours)));
  const lastFinal = Math.min(toBlock, ...ofNodes.map(({ final }) => final));
  const kept = await toOurs(
    ofNodes.map(({ logs }) => logs),
    ours,
  );
  const isFinal = ({ blockNumber }: Log) => blockNumber <= lastFinal;
  const byHash = Map.groupBy(firstOfEach(kept.flat()), ({ transactionHash }) => transactionHash);
  const transactions = [...byHash.values()].flatMap((logs) => {
    const [first] = logs;
    return first === undefined ? [] : [{ first, logs: logs.filter((one) => one.blockHash === first.blockHash) }];
  });
  const blocks = await headersOf(nodes, [...new Set(transactions.map(({ first }) => first.blockNumber))]);
  // A block that was replaced meanwhile is read again by the next scan.
  const standing = transactions.filter(({ first }) => blocks.get(first.blockNumber)?.hash === first.blockHash);
  const agree =
    new Set(kept.map((logs) => JSON.stringify(logs.filter(isFinal).map(identity)))).size === 1 &&
    transactions.every((one) => !isFinal(one.first) || standing.includes(one));
  const found = standing.map(({ first, logs }) => ({
    txHash: first.transactionHash,
    block: first.blockNumber,
    isFinal: agree && isFinal(first),
    confirmations: newest - first.blockNumber + 1,
    timestamp: blocks.get(first.blockNumber)?.timestamp ?? 0,
    movements: logs.flatMap((one) => movementOf(chain, one) ?? []),
  }));
  const nextBlock = agree ? Math.max(fromBlock, lastFinal + 1) : fromBlock;
  return { found, nextBlock, ...(toBlock < newest && { unreadFrom: toBlock + 1 }) };
}

/** Both nodes answer the same of a log exactly when these are the same. */
function identity({ blockHash, transactionHash, logIndex, address, topics, data }: Log): readonly unknown[] {
  return [blockHash, transactionHash, logIndex, address, topics, data];
}

function firstOfEach(logs: readonly Log[]): readonly Log[] {
  return inOrder([...new Map(logs.map((one) => [JSON.stringify(identity(one)), one])).values()]);
}

function inOrder(logs: readonly Log[]): readonly Log[] {
  return logs.toSorted((one, other) => one.blockNumber - other.blockNumber || one.logIndex - other.logIndex);
}

/** Without what goes to others, of which a busy contract has thousands a minute. */
async function toOurs(ofNodes: readonly (readonly Log[])[], ours: Ours): Promise<readonly (readonly Log[])[]> {
  if ('awaited' in ours) return ofNodes;
  const addresses = new Set(ofNodes.flat().flatMap(({ topics: [, , to] }) => to ?? []));
  const isOurs = new Set([...(await ours.among([...addresses].map((word) => `0x${word.slice(-40)}`)))].map(wordOf));
  return ofNodes.map((logs) => logs.filter(({ topics: [, , to] }) => to !== undefined && isOurs.has(to)));
}

function listsOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

async function headersOf(nodes: readonly [EvmNode, ...EvmNode[]], numbers: readonly number[]) {
  const blocks = new Map<number, { readonly number: number; readonly hash: string; readonly timestamp: number }>();
  for (const group of listsOf(numbers, MOST.headers))
    for (const [number, one] of await blocksAt(nodes[0], group)) blocks.set(number, one);
  return blocks;
}

interface Logs {
  readonly logs: readonly Log[];
  /** The final block of whoever answered: behind the name of a node may be several, of which one has no logs yet. */
  readonly final: number;
}

async function logsBetween(
  chain: EvmChain,
  node: EvmNode,
  fromBlock: number,
  toBlock: number,
  ours: Ours,
): Promise<Logs> {
  const lists = 'awaited' in ours ? listsOf(ours.awaited, MOST.addresses) : [undefined];
  const logs: Log[] = [];
  let final = toBlock;
  for (const list of lists) {
    // Half of what the node refuses, and twice what it gave.
    let [from, blocks] = [fromBlock, MOST.blocks];
    while (from <= toBlock) {
      const to = Math.min(toBlock, from + blocks - 1);
      const part = await orRefused(logsOf(chain, node, [from, to], list), from < to);
      if (part === undefined) {
        blocks = Math.ceil((to - from + 1) / 2);
        continue;
      }
      for (const one of part.logs) logs.push(one);
      final = Math.min(final, part.final);
      from = to + 1;
      blocks = Math.min(MOST.blocks, blocks * 2);
    }
  }
  return { logs: inOrder(logs), final };
}

/** `undefined` when the node refuses a range that can be smaller. */
async function orRefused(asked: Promise<Logs>, canBeSmaller: boolean): Promise<Logs | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NodeRefused && canBeSmaller) return undefined;
    throw error;
  }
}

async function logsOf(
  chain: EvmChain,
  node: EvmNode,
  [from, to]: readonly [number, number],
  list: readonly string[] | undefined,
): Promise<Logs> {
  const filter = {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    address: chain.tokens.map(({ contract }) => contract),
    topics: [TRANSFER, ...(list === undefined ? [] : [null, list.map(wordOf)])],
  };
  const [answer, head] = await node.call([{ method: 'eth_getLogs', params: [filter] }, finalBlock(chain)]);
  const logs = readResult(node, z.array(log), answer);
  // A node that ignores a part of the filter gives too much, never something else.
  const words = list && new Set(list.map(wordOf));
  const asked = logs.filter(
    (one) =>
      movementOf(chain, one) !== undefined &&
      one.blockNumber >= from &&
      one.blockNumber <= to &&
      (words === undefined || words.has(one.topics[2] ?? '')),
  );
  return { logs: asked, final: finalNumber(chain, readResult(node, z.nullable(block), head)) };
}

/** The first block that is not older, by bisection; past the newest one if all are. */
export async function firstBlockSince(chain: EvmChain, node: EvmNode, instant: string): Promise<number> {
  const seconds = Date.parse(instant) / 1000;
  let [from, to] = [0, (await headsOf(chain, node)).latest + 1];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const block = (await blocksAt(node, [middle])).get(middle);
    if (block === undefined) throw new CustodianUnavailable(`${node.name} lacks the block ${middle}.`);
    if (block.timestamp < seconds) from = middle + 1;
    else to = middle;
  }
  return from;
}
