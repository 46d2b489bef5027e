import * as z from 'zod/mini';
import { CustodianUnavailable } from '#shared/off-ramps/custodians/custodian.ts';
import type { Clock } from '#shared/platform/clock.ts';
import { inGroups } from '#shared/platform/collections.ts';
import { log as logger } from '#shared/platform/logger.ts';
import type { EvmChain } from './evm-chain.ts';
import { type EvmNode, NodeRefused, readResult } from './json-rpc.ts';
import {
  addressInWord,
  type Block,
  block,
  type EventLog,
  eventLog,
  finalBlockCall,
  finalBlockNumber,
  type Movement,
  movementOf,
  readHeads,
  sortUnique,
  TRANSFER_TOPIC,
} from './read-logs.ts';
import { readBlocks } from './read-transaction.ts';

/** A transaction that a scan has found, with its transfers. */
interface FoundTransaction {
  readonly txHash: string;
  readonly block: number;
  readonly isFinal: boolean;
  readonly confirmations: number;
  readonly timestamp: number;
  readonly movements: readonly Movement[];
}

export interface ScanCursor {
  /** The first block that was not yet read as final, with the same data from all nodes. */
  readonly final: number;
  /** The first block that was not yet read at all. */
  readonly newest: number;
}

export interface Scan {
  readonly found: readonly FoundTransaction[];
  /** The receivers of these transfers that are our addresses. */
  readonly isOurs: ReadonlySet<string>;
  readonly cursor: ScanCursor;
  /** True when there is nothing more to read for now. */
  readonly isAtEnd: boolean;
}

/** The newest block that all nodes have, and the newest that all call final. */
interface Heads {
  readonly newest: number;
  readonly final: number;
}

interface ScanDependencies {
  readonly findOwnAddresses: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
  readonly clock: Clock;
}

/** The most blocks of one request. */
const MOST_BLOCKS = 2_000;

/** The most block headers of one batch. */
const MOST_HEADERS = 50;

/** Milliseconds from which a request is slow: a scan makes three requests, and has twelve seconds. */
const SLOW = 4000;

/** The age of a node's newest block, in seconds, above which the node is reported as behind. */
const BEHIND = 600;

/** The same for its newest final block. On a rollup a block is final some twenty minutes after it is made. */
const FINALITY_BEHIND = 3600;

/**
 * Finds transfers to our addresses without a report. It reads all transfers of the listed contracts and matches them
 * with all addresses ever assigned, so it finds a late transfer like an early one. Each block is read when it is new,
 * and again when it is final, because the block may have been replaced, or its logs were not there yet. A transfer that
 * only one node has is returned as not final, and the next scan reads it again.
 */
export function createScanTransfers(
  chain: EvmChain,
  nodes: readonly [EvmNode, ...EvmNode[]],
  { findOwnAddresses, clock }: ScanDependencies,
) {
  /** Blocks of the next request: half as many after a refusal or a slow answer, twice as many after a success. */
  let blocks = MOST_BLOCKS;

  /** @throws {CustodianUnavailable} */
  return async (cursor: ScanCursor): Promise<Scan> => {
    const heads = await headsOfAll();
    const { final, newest } = heads;
    const become = await readPart(cursor.final, final, heads);
    if (!become.agree) logger.warn('NODES_DISAGREE', { node: nodes[0].name, block: become.to });
    // Several nodes may share one URL: the node that answered with the logs may be further behind.
    const agreed = Math.max(cursor.final, become.agree ? become.lastFinal + 1 : 0);
    // A node may know a block before its logs: on chains where blocks are final at once, a later scan reads them again.
    const next = become.to < final ? agreed : Math.max(cursor.final, Math.min(agreed, cursor.newest));
    // While nodes differ about a part, perhaps for days, later blocks that became final are still read as new ones.
    const unread = (become.agree ? final : become.to) + 1;
    const fresh = await readPart(Math.max(cursor.newest, unread), newest, heads);
    return {
      found: [...become.found, ...fresh.found],
      isOurs: new Set([...become.isOurs, ...fresh.isOurs]),
      cursor: { final: next, newest: Math.max(cursor.newest, fresh.to + 1) },
      // If nodes differ, or have no logs yet, the next scan asks them again.
      isAtEnd: (become.to === final || next === cursor.final) && fresh.to === newest,
    };
  };

  async function headsOfAll(): Promise<Heads> {
    const heads = await Promise.all(nodes.map((node) => readHeads(chain, node)));
    const ageOf = ({ timestamp }: Block) => Math.round(clock.now().getTime() / 1000 - timestamp);
    for (const [at, { latest, finalized }] of heads.entries()) {
      const node = nodes[at]?.name;
      const [seconds, ofFinal] = [ageOf(latest), finalized === null ? undefined : ageOf(finalized)];
      if (seconds > BEHIND) logger.warn('NODE_BEHIND', { node, block: 'newest', seconds });
      // A chain may grow for hours while no block becomes final.
      else if (ofFinal === undefined || ofFinal > FINALITY_BEHIND)
        logger.warn('NODE_BEHIND', { node, block: 'final', seconds: ofFinal });
    }
    const newest = Math.min(...heads.map(({ latest }) => latest.number));
    return { newest, final: Math.min(newest, ...heads.map((head) => head.final)) };
  }

  async function readPart(from: number, last: number, heads: Heads) {
    if (from > last) return { found: [], isOurs: new Set<string>(), agree: true, to: last, lastFinal: last };
    const { parts, to, askedAt } = await readTogether(from, last);
    const lastFinal = Math.min(to, heads.final, ...parts.map((part) => part.final));
    const ofPart = await toOurs(parts, { lastFinal, newest: heads.newest });
    if (clock.now().getTime() > askedAt + SLOW) blocks = Math.ceil((to - from + 1) / 2);
    return { ...ofPart, to, lastFinal };
  }

  async function readTogether(from: number, last: number) {
    for (;;) {
      const to = Math.min(last, from + blocks - 1);
      const askedAt = clock.now().getTime();
      try {
        const parts = await Promise.all(nodes.map((node) => logsOf(chain, node, [from, to])));
        blocks = Math.min(MOST_BLOCKS, blocks * 2);
        return { parts, to, askedAt };
      } catch (error) {
        if (!(error instanceof NodeRefused) || from === to) throw error;
        blocks = Math.ceil((to - from + 1) / 2);
      }
    }
  }

  /** Keeps only transfers to our addresses: a busy contract has thousands of others a minute. */
  async function toOurs(
    parts: readonly Logs[],
    { lastFinal, newest }: { readonly lastFinal: number; readonly newest: number },
  ) {
    const receivers = new Set(parts.flatMap(({ logs }) => logs.map(receiverOf)));
    const isOurs = await findOwnAddresses([...receivers]);
    const kept = parts.map(({ logs }) => logs.filter((one) => isOurs.has(receiverOf(one))));
    const isFinal = ({ blockNumber }: EventLog) => blockNumber <= lastFinal;
    const transactions = [
      ...Map.groupBy(sortUnique(kept.flat(), identity), ({ transactionHash }) => transactionHash).values(),
    ].flatMap((logs) => {
      const [first] = logs;
      return first === undefined ? [] : [{ first, logs: logs.filter((one) => one.blockHash === first.blockHash) }];
    });
    const headers = await headersOf(new Set(transactions.map(({ first }) => first.blockNumber)));
    // If a block was replaced meanwhile, the next scan reads the new one.
    const standing = transactions.filter(({ first }) => headers.get(first.blockNumber)?.hash === first.blockHash);
    const agree =
      new Set(kept.map((logs) => JSON.stringify(logs.filter(isFinal).map(identity).toSorted()))).size === 1 &&
      transactions.every((one) => !isFinal(one.first) || standing.includes(one));
    const found = standing.map(({ first, logs }) => ({
      txHash: first.transactionHash,
      block: first.blockNumber,
      isFinal: agree && isFinal(first),
      confirmations: newest - first.blockNumber + 1,
      timestamp: headers.get(first.blockNumber)?.timestamp ?? 0,
      movements: logs.flatMap((one) => movementOf(chain, one) ?? []),
    }));
    return { found, isOurs, agree };
  }

  async function headersOf(numbers: Iterable<number>): Promise<ReadonlyMap<number, Block>> {
    const headers = new Map<number, Block>();
    for await (const group of inGroups(numbers, MOST_HEADERS))
      for (const [number, one] of await readBlocks(nodes[0], group, clock)) headers.set(number, one);
    return headers;
  }
}

/** A log, and the number of equal logs of its transaction that come before it. */
type NumberedLog = EventLog & { readonly nth: number };

const contentOf = ({ blockHash, transactionHash, address, topics, data }: EventLog) =>
  [blockHash, transactionHash, address, topics, data].flat().join();

/**
 * Identifies a log: two nodes have the same log exactly when this text is the same. The log's index in the block is not
 * part of it, because clients count differently (Erigon, on BSC and Polygon).
 */
const identity = (log: NumberedLog) => `${contentOf(log)} ${log.nth}`;

/** Numbers equal logs of a node, after removing duplicates: a node may return a log twice. */
function numbered(logs: readonly EventLog[]): readonly NumberedLog[] {
  const counts = new Map<string, number>();
  return sortUnique(logs, (one) => `${contentOf(one)} ${one.logIndex}`).map((one) => {
    const nth = counts.get(contentOf(one)) ?? 0;
    counts.set(contentOf(one), nth + 1);
    return { ...one, nth };
  });
}

const receiverOf = ({ topics: [, , to = ''] }: EventLog) => addressInWord(to);

interface Logs {
  readonly logs: readonly NumberedLog[];
  /** The final block of the node that answered: several nodes may share one URL, and one of them may lack logs yet. */
  readonly final: number;
}

async function logsOf(chain: EvmChain, node: EvmNode, [from, to]: readonly [number, number]): Promise<Logs> {
  const filter = {
    fromBlock: `0x${from.toString(16)}`,
    toBlock: `0x${to.toString(16)}`,
    address: chain.tokens.map(({ contract }) => contract),
    topics: [TRANSFER_TOPIC],
  };
  const [answer, head] = await node.call([{ method: 'eth_getLogs', params: [filter] }, finalBlockCall(chain)]);
  const logs = readResult(node, z.array(eventLog), answer);
  // A node that ignores a part of the filter returns too many logs, never other ones.
  const asked = logs.filter(
    (one) => movementOf(chain, one) !== undefined && one.blockNumber >= from && one.blockNumber <= to,
  );
  return { logs: numbered(asked), final: finalBlockNumber(chain, readResult(node, z.nullable(block), head)) };
}

/**
 * Finds the first block that is not older than the instant; past the newest block if all are older. Nodes may lack old
 * blocks, so the search goes back in growing steps. It then narrows the range by many blocks at once, because one at a
 * time would take longer than an answer may take.
 */
export async function firstBlockSince(chain: EvmChain, node: EvmNode, clock: Clock, instant: string): Promise<number> {
  const seconds = Date.parse(instant) / 1000;
  const olderAmong = async (numbers: readonly number[]) => {
    const blocks = await readBlocks(node, numbers, clock);
    return numbers.filter((number) => {
      const { timestamp } = blocks.get(number) ?? {};
      if (timestamp === undefined) throw new CustodianUnavailable(`${node.name} lacks the block ${number}.`);
      return timestamp < seconds;
    });
  };
  const { latest } = await readHeads(chain, node);
  let [from, to] = [latest.number, latest.number + 1];
  while (from > 0 && (await olderAmong([from])).length === 0) [from, to] = [Math.max(0, from - 4 * (to - from)), from];
  while (from < to) {
    const step = Math.ceil((to - from) / MOST_HEADERS);
    const numbers = Array.from({ length: Math.ceil((to - from) / step) }, (_, at) => from + at * step);
    const older = await olderAmong(numbers);
    [from, to] = [(older.at(-1) ?? from - 1) + 1, numbers[older.length] ?? to];
  }
  return from;
}
