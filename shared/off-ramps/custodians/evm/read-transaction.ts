import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import type { EvmChain } from './evm-chain.ts';
import { type EvmNode, NodeRefused, NodeThrottled, readResult } from './json-rpc.ts';
import {
  addressInWord,
  type Block,
  block,
  blockCall,
  eventLog,
  evmAddress,
  finalBlockCall,
  finalBlockNumber,
  hash32,
  hexBytes,
  hexNumber,
  latestBlockCall,
  type Movement,
  movementOf,
  NodesDisagree,
  sortUnique,
} from './read-logs.ts';

const receipt = z.object({
  transactionHash: hash32,
  blockHash: hash32,
  blockNumber: hexNumber,
  status: z.enum(['0x0', '0x1']),
  logs: z.array(eventLog),
});

const transaction = z.object({
  hash: hash32,
  from: evmAddress,
  to: z.nullable(evmAddress),
  input: hexBytes,
});

interface Mined {
  readonly block: number;
  readonly hash: string;
  readonly succeeded: boolean;
  /** For a reverted transaction: the movements that it attempted. */
  readonly movements: readonly Movement[];
}

/** One node's data for a transaction. */
interface View {
  readonly node: EvmNode;
  readonly final: number;
  readonly latest: number;
  /** True if the transaction is in a block or waits for one. */
  readonly isKnown: boolean;
  readonly mined: Mined | undefined;
}

/** A transaction as the nodes of its chain have it. */
export type TransactionRead =
  | (Omit<Mined, 'hash'> & {
      readonly isFinal: boolean;
      readonly confirmations: number;
      /** The time of its block, in seconds since 1970. */
      readonly timestamp: number;
    })
  | {
      readonly block?: undefined;
      /** The final chain up to this block lacks the transaction; absent while a node knows the transaction. */
      readonly absentUpTo?: number;
    };

/**
 * Reads a transaction. It is final when all nodes call it final: the final block of each is at or past the
 * transaction's block, and each has the same hash for that block, the same status and the same transfers. While one
 * node lacks the block or the receipt, the transaction is not final.
 *
 * @throws {NodesDisagree}
 * @throws {CustodianUnavailable}
 */
export async function readTransaction(
  chain: EvmChain,
  nodes: readonly EvmNode[],
  txHash: string,
): Promise<TransactionRead> {
  const views = await Promise.all(nodes.map((node) => viewOf(chain, node, txHash)));
  const commonFinal = Math.min(...views.map(({ final }) => final));
  const found = views.flatMap(({ mined }) => mined ?? []);
  const numbers = [...new Set([...(commonFinal < 0 ? [] : [commonFinal]), ...found.map((one) => one.block)])];
  const blocks = await Promise.all(views.map(({ node }) => readBlocks(node, numbers)));
  // If two nodes differ about a final block, no answer of either is used.
  for (const number of numbers.filter((one) => one <= commonFinal)) {
    const hashes = new Set(blocks.flatMap((ofNode) => ofNode.get(number)?.hash ?? []));
    if (hashes.size > 1) throw disagreement(nodes, number);
  }

  const [mined] = found;
  if (mined === undefined) return views.some(({ isKnown }) => isKnown) ? {} : { absentUpTo: commonFinal };
  const isPast = views.every(({ final }) => final >= Math.max(...found.map((one) => one.block)));
  if (isPast && found.some((one) => !isDeepStrictEqual(one, mined))) throw disagreement(nodes, mined.block);
  const timestamp = blocks.map((ofNode) => ofNode.get(mined.block)).find((one) => one?.hash === mined.hash)?.timestamp;
  if (timestamp === undefined) throw new CustodianUnavailable(`The block of ${txHash} was just replaced.`);
  const agree = views.every(
    (view, at) => isDeepStrictEqual(view.mined, mined) && blocks[at]?.get(mined.block)?.hash === mined.hash,
  );
  const { hash: _, ...rest } = mined;
  const latest = Math.min(...views.map((view) => view.latest));
  return { ...rest, isFinal: isPast && agree, confirmations: Math.max(0, latest - mined.block + 1), timestamp };
}

function disagreement([one, other]: readonly EvmNode[], number: number): NodesDisagree {
  return new NodesDisagree(`${one?.name} and ${other?.name} have different data for the final block ${number}.`);
}

async function viewOf(chain: EvmChain, node: EvmNode, txHash: string): Promise<View> {
  const [head, newest, ofBlock, itself] = await node.call([
    finalBlockCall(chain),
    latestBlockCall,
    { method: 'eth_getTransactionReceipt', params: [txHash] },
    { method: 'eth_getTransactionByHash', params: [txHash] },
  ]);
  const seen = readResult(node, z.nullable(receipt), ofBlock);
  const sent = readResult(node, z.nullable(transaction), itself);
  for (const hash of [seen?.transactionHash, sent?.hash]) {
    if (hash !== undefined && hash !== txHash)
      throw new CustodianUnavailable(`${node.name} answers about another hash.`);
  }
  return {
    node,
    final: finalBlockNumber(chain, readResult(node, z.nullable(block), head)),
    latest: readResult(node, block, newest).number,
    isKnown: seen !== null || sent !== null,
    mined: seen === null || sent === null ? undefined : minedOf(chain, seen, sent),
  };
}

function minedOf(chain: EvmChain, seen: z.infer<typeof receipt>, sent: z.infer<typeof transaction>): Mined {
  const succeeded = seen.status === '0x1';
  // Logs are compared by order, not by their index in the block: clients count differently (Erigon, on BSC, Polygon).
  const moved = () =>
    sortUnique(seen.logs, (one) => JSON.stringify(one)).flatMap((one) => movementOf(chain, one) ?? []);
  return {
    block: seen.blockNumber,
    hash: seen.blockHash,
    succeeded,
    movements: succeeded ? moved() : attempted(chain, sent),
  };
}

const SELECTOR = 10;
const TRANSFER_CALL = '0xa9059cbb';
const TRANSFER_FROM_CALL = '0x23b872dd';

/** A reverted transaction leaves no log: the movement that it attempted is in its call of a listed contract. */
function attempted({ tokens }: EvmChain, { from, to, input }: z.infer<typeof transaction>): readonly Movement[] {
  const token = tokens.find(({ contract }) => contract === to);
  const words = input.slice(SELECTOR).match(/.{64}/g) ?? [];
  const call = input.slice(0, SELECTOR);
  const [sender, receiver, value] =
    call === TRANSFER_CALL ? [from, ...words] : call === TRANSFER_FROM_CALL ? words : [];
  if (token === undefined || sender === undefined || receiver === undefined || value === undefined) return [];
  return [{ token, from: addressInWord(sender), to: addressInWord(receiver), value: BigInt(`0x${value}`) }];
}

const transactionsOf = z.nullable(z.object({ transactions: z.array(hash32) }));

/** True if a node has the transaction in this block: nodes forget the block of a hash before they forget the block. */
export async function isInBlock(nodes: readonly EvmNode[], number: number, txHash: string): Promise<boolean> {
  const answers = await Promise.all(
    nodes.map(async (node) => {
      const [answer] = await node.call([blockCall(number)]);
      const found = readResult(node, transactionsOf, answer);
      if (found === null) throw new CustodianUnavailable(`${node.name} lacks the block ${number}.`);
      return found.transactions.includes(txHash);
    }),
  );
  return answers.includes(true);
}

/** Seconds of the longest pause that is waited for here: a scan has twelve seconds. */
const LONGEST_WAIT = 2;

/**
 * Reads the blocks with these numbers from a node, except those that it lacks. Nodes differ in how many calls they
 * accept at once and in a second. Of a larger batch they never answer more than a part (QuickNode, 429 errors
 * explained), so after the pause the batch is halved. Without a clock the caller handles the pause.
 */
export async function readBlocks(
  node: EvmNode,
  numbers: readonly number[],
  clock?: Clock,
): Promise<ReadonlyMap<number, Block>> {
  try {
    const answers = numbers.length === 0 ? [] : await node.call(numbers.map(blockCall));
    const found = answers.flatMap((answer) => readResult(node, z.nullable(block), answer) ?? []);
    return new Map(found.map((one) => [one.number, one]));
  } catch (error) {
    const wait = error instanceof NodeThrottled ? Math.max(1, error.retryAfter ?? 1) : 0;
    const asksForLess = error instanceof NodeRefused || (wait > 0 && wait <= LONGEST_WAIT && clock !== undefined);
    if (numbers.length < 2 || !asksForLess) throw error;
    if (wait > 0) await clock?.sleep(wait * 1000);
    const half = Math.ceil(numbers.length / 2);
    const first = await readBlocks(node, numbers.slice(0, half), clock);
    return new Map([...first, ...(await readBlocks(node, numbers.slice(half), clock))]);
  }
}
