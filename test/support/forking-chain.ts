import * as z from 'zod/mini';
import type { EvmNode, RpcCall } from '#shared/off-ramps/custodians/evm/json-rpc.ts';
import { TRANSFER_TOPIC, toWord } from '#shared/off-ramps/custodians/evm/read-logs.ts';

type Transfers = ReadonlyMap<string, bigint>;

interface Block {
  readonly hash: string;
  readonly transfers: Transfers;
}

const range = z.object({ fromBlock: z.string(), toBlock: z.string() });

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const word = (value: number | bigint) => `0x${value.toString(16).padStart(64, '0')}`;

/**
 * A chain in memory, whose blocks hold transfers by their hash. Blocks up to the final one are never replaced. A node
 * may see the chain as it was some changes ago.
 */
export function forkingChain({
  contract,
  from,
  to,
}: {
  readonly contract: string;
  readonly from: string;
  readonly to: string;
}) {
  let made = 0;
  /** Leaves out transactions that the chain already holds. */
  const blockOn = (blocks: readonly Block[], transfers: Transfers): Block => {
    made += 1;
    const isNew = ([hash]: readonly [string, bigint]) => !blocks.some((block) => block.transfers.has(hash));
    return { hash: word(0xb0000 + made), transfers: new Map([...transfers].filter(isNew)) };
  };
  let now: { readonly blocks: readonly Block[]; readonly final: number } = {
    blocks: [blockOn([], new Map())],
    final: 0,
  };
  const history = [now];
  const becomes = (next: typeof now) => {
    now = next;
    history.push(now);
  };

  const logOf = (number: number, blockHash: string, transactionHash: string, value: bigint) => ({
    ...{ blockNumber: hex(number), blockHash, transactionHash, logIndex: '0x0' },
    ...{ address: contract, topics: [TRANSFER_TOPIC, toWord(from), toWord(to)], data: word(value) },
  });

  const logsOf = (blocks: readonly Block[], { fromBlock, toBlock }: z.infer<typeof range>) =>
    blocks.flatMap(({ hash, transfers }, at) =>
      at < Number(fromBlock) || at > Number(toBlock)
        ? []
        : [...transfers].map(([tx, value]) => logOf(at, hash, tx, value)),
    );

  const blockNamed = ({ blocks, final }: typeof now, name: unknown) => {
    const number = name === 'finalized' ? final : name === 'latest' ? blocks.length - 1 : Number(name);
    const block = blocks[number];
    return block === undefined ? null : { number: hex(number), hash: block.hash, timestamp: '0x1' };
  };

  const answer = (seen: typeof now, { method, params: [about] }: RpcCall): unknown => {
    const { blocks } = seen;
    if (method === 'eth_getBlockByNumber') return blockNamed(seen, about);
    // The contract has 6 decimals, and its symbol is USDC.
    if (method === 'eth_call')
      return Object(about).data === '0x313ce567' ? word(6) : `0x${Buffer.from('USDC').toString('hex')}`;
    if (method === 'eth_getLogs') return logsOf(blocks, range.parse(about));
    const number = blocks.findLastIndex(({ transfers }) => transfers.has(String(about)));
    const block = blocks[number];
    const value = block?.transfers.get(String(about));
    if (block === undefined || value === undefined) return null;
    const hash = String(about);
    if (method === 'eth_getTransactionByHash') return { hash, from, to: contract, input: '0x' };
    const log = logOf(number, block.hash, hash, value);
    return { ...log, status: '0x1', logs: [log] };
  };

  return {
    hashOf: (number: number) => word(number + 1),
    /** Adds a block, and empty ones after it. */
    mine: (transfers: Transfers, empty = 0) => {
      const more = Array.from({ length: empty }, () => blockOn([], new Map()));
      becomes({ ...now, blocks: [...now.blocks, blockOn(now.blocks, transfers), ...more] });
    },
    /** Replaces the newest blocks that are not final. */
    reorg: (depth: number, transfers: Transfers) => {
      const stay = Math.max(now.final + 1, now.blocks.length - depth);
      const stays = now.blocks.slice(0, stay);
      const replaced = now.blocks.slice(stay).map((_, at) => blockOn(stays, at === 0 ? transfers : new Map()));
      becomes({ ...now, blocks: [...stays, ...replaced] });
    },
    finalise: (blocks: number) => becomes({ ...now, final: Math.min(now.blocks.length - 1, now.final + blocks) }),
    /** Number of its newest block. */
    height: () => now.blocks.length - 1,
    /** The amount that the final chain has of a transaction. */
    finalAmount: (hash: string) =>
      now.blocks
        .slice(0, now.final + 1)
        .flatMap(({ transfers }) => transfers.get(hash) ?? [])
        .at(0),
    /** A node that is this many changes behind at each call; `lie` changes its answers. */
    node: (
      name: string,
      behind: () => number = () => 0,
      lie: (call: RpcCall, honest: unknown) => unknown = (_, honest) => honest,
    ): EvmNode => ({
      name,
      call: async (calls) => {
        const seen = history[Math.max(0, history.length - 1 - behind())] ?? now;
        return calls.map((call) => lie(call, answer(seen, call)));
      },
    }),
  };
}
